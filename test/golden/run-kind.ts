import { clearSession } from "../../src/core/settings.js";
import { TensorScope } from "../../src/core/tensor.js";
import { type Arrays, type GoldenCase, readCases } from "./cases.js";
import { Mismatch } from "./compare.js";
import { kinds } from "./kinds/index.js";
import { withSettings } from "./kinds/kind.js";

export interface TargetSummary {
  readonly passed: string[];
  readonly failures: { readonly id: string; readonly message: string }[];
}
export interface KindSummary {
  readonly targets: Map<string, TargetSummary>;
  passed: number;
  failed: number;
}

/** Repeats one recorded case; throws when the library differs. */
export async function replay(golden: GoldenCase, arrays: Arrays): Promise<void> {
  const kind = kinds[golden.kind];
  if (!kind) throw new Mismatch(`cases of kind ${golden.kind} cannot be repeated`);
  clearSession();
  await withSettings(golden.settings, async () => {
    using _ = new TensorScope();
    await kind.replay(golden, arrays);
  });
}

/** Which cases are replayed, by their place in the file, and who is told before each. */
export interface RunOptions {
  readonly keep?: (index: number) => boolean;
  readonly onCase?: (golden: GoldenCase) => void;
}

/** Replays all cases of a kind. A target that does not exist fails, it is never skipped. */
export async function runKind(
  folder: string,
  kind: string,
  { keep = () => true, onCase }: RunOptions = {},
): Promise<KindSummary> {
  const { cases, arrays } = readCases(folder, kind);
  const summary: KindSummary = { targets: new Map(), passed: 0, failed: 0 };
  for (const golden of cases.filter((_, index) => keep(index))) {
    onCase?.(golden);
    let target = summary.targets.get(golden.target);
    if (!target) summary.targets.set(golden.target, (target = { passed: [], failures: [] }));
    try {
      await replay(golden, arrays);
      target.passed.push(golden.id);
      summary.passed++;
    } catch (error) {
      target.failures.push({ id: golden.id, message: error instanceof Error ? error.message : String(error) });
      summary.failed++;
    }
  }
  return summary;
}
