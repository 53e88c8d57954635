import { describe, expect, test, vi } from "vitest";
import { kindsIn } from "../golden/cases.js";
import { gapsFor, judge } from "../golden/gaps.js";

const folder = new URL("../data/goldens", import.meta.url).pathname;
// What the library has no code for yet is missing on every engine.
const gaps = gapsFor("tensorflow");

async function repeat(kind: string, composites: boolean): Promise<void> {
  vi.stubEnv("KERAS_BACKEND", "tensorflow");
  const { backend, setNativeComposites } = await import("../../src/keras-backend.js");
  expect(backend()).toBe("tensorflow");
  const { runKind } = await import("../golden/run-kind.js");
  setNativeComposites(composites);
  const { failures } = judge(kind, await runKind(folder, kind), gaps);
  expect(failures, "cases that fail and are no known gap").toEqual([]);
}

describe("recorded calls of Python Keras repeat on TensorFlow.js", () => {
  for (const kind of kindsIn(folder)) test(kind, () => repeat(kind, true), 120_000);
  for (const kind of ["activation", "layer", "loss"])
    test(`${kind}, without versions of its own of composite ops`, () => repeat(kind, false), 120_000);
});
