import { describe, expect, vi } from "vitest";
import { kindsIn } from "../golden/cases.js";
import { gapsFor, judge } from "../golden/gaps.js";
import { itRequires } from "../support/require.js";

const folder = new URL("../data/goldens", import.meta.url).pathname;
// What the library has no code for yet is missing on every engine.
const gaps = gapsFor("torch");

describe("recorded calls of Python Keras repeat on libtorch", () => {
  for (const kind of kindsIn(folder))
    itRequires("libtorch", kind, async () => {
      vi.stubEnv("KERAS_BACKEND", "torch");
      const { backend } = await import("../../src/backend/index.js");
      expect(backend()).toBe("torch");
      const { runKind } = await import("../golden/run-kind.js");
      const { failures } = judge(kind, await runKind(folder, kind), gaps);
      expect(failures, "cases that fail and are no known gap").toEqual([]);
    });
});
