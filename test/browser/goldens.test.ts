import fs from "node:fs/promises";
import path from "node:path";
import { afterAll, describe, expect } from "vitest";
import { gapsFor, judge } from "../golden/gaps.js";
import { root } from "../support/dist.js";
import { itRequires } from "../support/require.js";
import { buildGoldensPage } from "./goldens-page.js";
import type { GoldensReport } from "./pages/results.js";
import { runPage } from "./run-page.js";

/** Where the engines compute, and how large a part of the recorded cases each place repeats: graphics are played by the processor here. */
const places = [
  { engine: "numpy", every: 8, training: ["mlp_sgd", "mnist_cnn_adam", "dropout_seeded"] },
  { engine: "tensorflow", device: "wasm", every: 20, training: ["mlp_sgd", "mnist_cnn_adam"] },
  { engine: "tensorflow", device: "webgl", every: 120, training: ["mlp_sgd"] },
  { engine: "tensorflow", device: "webgpu", every: 120, training: ["mlp_sgd"] },
  { engine: "jax", device: "wasm", every: 40, training: ["mlp_sgd"] },
  { engine: "jax", device: "webgpu", every: 240, training: ["mlp_sgd"] },
] as const satisfies readonly { engine: string; device?: string; every: number; training: readonly string[] }[];

let building: Promise<string> | undefined;
const built = (): Promise<string> => (building ??= buildGoldensPage());
afterAll(async () => {
  if (building) await fs.rm(await building, { recursive: true, force: true });
});

describe("recorded calls of Python Keras repeat in Chromium", () => {
  for (const { engine, every, training, ...place } of places) {
    const device = "device" in place ? place.device : undefined;
    itRequires("chromium", `on ${engine}${device ? ` (${device})` : ""}, one in ${every}`, async () => {
      const found = await runPage<GoldensReport>({
        folders: {
          "/": await built(),
          "/goldens/": path.join(root, "test/data/goldens"),
          "/training/": path.join(root, "test/data/training"),
        },
        module: "/goldens.js",
        globals: {
          KERAS_BACKEND: engine,
          KERAS_TFJS_BACKEND: device,
          KERAS_JAX_DEVICE: device,
          wanted: { every, kinds: null, training },
        },
        timeout: 110_000,
      });
      expect(found.backend).toBe(engine);
      const gaps = gapsFor(engine);
      let passed = 0;
      for (const [kind, { targets }] of Object.entries(found.kinds)) {
        const summary = { targets: new Map(Object.entries(targets)), passed: 0, failed: 0 };
        expect(judge(kind, summary, gaps).failures, "cases that fail and are no known gap").toEqual([]);
        passed += [...summary.targets.values()].reduce((sum, target) => sum + target.passed.length, 0);
      }
      expect(passed).toBeGreaterThan(50);
      expect(found.training).toEqual(Object.fromEntries(training.map((name) => [name, null])));
    });
  }
});
