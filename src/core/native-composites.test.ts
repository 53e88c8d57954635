import "../backend/index.js";
import { afterEach, expect, it } from "vitest";
import { softmax } from "../ops/activation.js";
import { engine } from "./engine.js";
import { nativeComposites, setNativeComposites } from "./native-composites.js";
import { isComposite } from "./program.js";
import { tensor } from "./tensor.js";
import { trace } from "./trace.js";

const enabled = nativeComposites();
afterEach(() => setNativeComposites(enabled));

/** The engine with a softmax of its own, which is easily told from others. */
function withOwnSoftmax<T>(run: () => T): T {
  const own = engine() as { hasComposite?: unknown; executeComposite?: unknown };
  const before = { ...own };
  own.hasComposite = (name: string) => name === "nn.Softmax";
  own.executeComposite = () => [engine().share(tensor([7]).handle)];
  try {
    return run();
  } finally {
    Object.assign(own, { hasComposite: before.hasComposite, executeComposite: before.executeComposite });
  }
}
const composites = (): number =>
  trace((x) => [softmax(x!)], [{ shape: [3], dtype: "float32" }]).instructions.filter(isComposite).length;

it("engines run their own versions of composite ops, and Programs name them", async () => {
  setNativeComposites(true);
  expect(await withOwnSoftmax(() => softmax(tensor([1, 1]))).array()).toEqual([7]);
  expect(composites()).toBe(1);
});

it("neither happens when they are turned off", async () => {
  setNativeComposites(false);
  expect(await withOwnSoftmax(() => softmax(tensor([1, 1]))).array()).toEqual([0.5, 0.5]);
  expect(composites()).toBe(0);
});
