import * as tf from "@tensorflow/tfjs-core";
import { beforeAll, describe, expect, it } from "vitest";
import { kerasOn } from "../support/keras-on.js";
import { losses, network } from "./training.js";

describe("training on TensorFlow.js", () => {
  let wanted: number[] = [];
  beforeAll(async () => {
    wanted = await losses(await kerasOn("numpy"), 20);
  });

  it("has the losses of the built-in engine, dropout included, and learns", async () => {
    const seen = await losses(await kerasOn("tensorflow"), 20);
    seen.forEach((loss, i) => expect(loss).toBeCloseTo(wanted[i]!, 4));
    expect(seen.at(-1)).toBeLessThan(seen[0]!);
  });

  it("leaves no tensors behind over a thousand steps", async () => {
    const loaded = await kerasOn("tensorflow");
    const model = network(loaded);
    await losses(loaded, 5, model);
    const { tfjsHeap } = await import("../../src/backend/tensorflow/heap.js");
    const heap = tfjsHeap()!;
    const { numTensors, numBytes } = tf.memory();
    const { allocations, bytesInUse } = heap;
    expect(allocations).toBeGreaterThan(0);
    await losses(loaded, 1000, model);
    expect(tf.memory()).toMatchObject({ numTensors, numBytes });
    expect(heap).toMatchObject({ allocations, bytesInUse });
  }, 120_000);
});
