import type { TargetSummary } from "../../golden/run-kind.js";

/** What the page of recorded calls reports. */
export interface GoldensReport {
  readonly backend: string;
  readonly kinds: Record<string, { readonly targets: Record<string, TargetSummary>; readonly seconds: number }>;
  /** By training run: null, or how it failed. */
  readonly training: Record<string, string | null>;
}

interface Memory {
  /** Of the page, WebAssembly included; null where it cannot be measured. */
  readonly bytes: number | null;
  /** Tensors that the engine's library holds; null where it does not tell. */
  readonly held: number | null;
}

/** What a user's program found. */
export interface ScenarioResult {
  readonly backend: string;
  readonly draws: { readonly uniform: number[]; readonly randint: number[]; readonly normal: number[] };
  readonly history: Readonly<Record<string, number[]>>;
  readonly predictions: number[];
  /** Predictions of the model after it was saved and loaded. */
  readonly reloaded: number[];
  /** The bytes of the `.keras` file. */
  readonly file: number[];
  /** After some steps of training, and after many more. */
  readonly memory: { readonly before: Memory; readonly after: Memory };
}
