import { describe, expect, test, vi } from "vitest";
import { kindsIn } from "../golden/cases.js";
import { gapsPath, judge, readGaps } from "../golden/gaps.js";

const folder = new URL("../data/goldens", import.meta.url).pathname;
// What the library has no code for yet is missing on every engine.
const gaps = { ...readGaps(gapsPath("numpy")), ...readGaps(gapsPath("tensorflow")) };

describe("recorded calls of Python Keras repeat on TensorFlow.js", () => {
  for (const kind of kindsIn(folder))
    test(
      kind,
      async () => {
        vi.stubEnv("KERAS_BACKEND", "tensorflow");
        const { backend } = await import("../../src/backend/index.js");
        expect(backend()).toBe("tensorflow");
        const { runKind } = await import("../golden/run-kind.js");
        const { failures } = judge(kind, await runKind(folder, kind), gaps);
        expect(failures, "cases that fail and are no known gap").toEqual([]);
      },
      120_000,
    );
});
