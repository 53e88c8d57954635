import { describe, expect } from "vitest";
import type * as keras from "../../src/index.js";
import { kerasOn } from "../support/keras-on.js";
import { itRequires } from "../support/require.js";
import { batch, losses, network } from "./training.js";

/** Tensors and bytes that libtorch holds. */
async function held(): Promise<{ tensors: number; bytes: number }> {
  const { addon } = await import("../../src/backend/torch/library.js");
  return { tensors: addon.liveTensors(), bytes: addon.nativeBytes() };
}

describe("training on libtorch", () => {
  itRequires("libtorch", "has the losses of the built-in engine, dropout included, and learns", async () => {
    const wanted = await losses(await kerasOn("numpy"), 20);
    const seen = await losses(await kerasOn("torch"), 20);
    seen.forEach((loss, i) => expect(loss).toBeCloseTo(wanted[i]!, 4));
    expect(seen.at(-1)).toBeLessThan(seen[0]!);
  });

  itRequires("libtorch", "leaves no tensors and no bytes behind over a thousand steps", async () => {
    const loaded = await kerasOn("torch");
    const model = network(loaded);
    await losses(loaded, 5, model);
    const before = await held();
    expect(before.tensors).toBeGreaterThan(0);
    await losses(loaded, 1000, model);
    expect(await held()).toEqual(before);
  });

  itRequires("libtorch", "leaves nothing behind in evaluate, predict and fit either", async () => {
    const loaded = await kerasOn("torch");
    const model = network(loaded);
    const [x, y] = batch(loaded);
    const round = async (): Promise<void> => {
      await model.fit(x, y, { epochs: 1, batchSize: 8, verbose: 0 });
      await model.evaluate(x, y, { batchSize: 8, verbose: 0 });
      await model.predict(x, { batchSize: 8, verbose: 0 });
    };
    for (let i = 0; i < 3; i++) await round();
    const before = await held();
    for (let i = 0; i < 50; i++) await round();
    expect(await held()).toEqual(before);
  });

  itRequires("libtorch", "values that were read from variables outlive later steps", async () => {
    const loaded = await kerasOn("torch");
    const model = network(loaded);
    await losses(loaded, 2, model);
    const read = model.weights.map((variable) => variable.value);
    const values = await Promise.all(read.map((x) => x.array()));
    await losses(loaded, 2, model);
    expect(await Promise.all(read.map((x) => x.array()))).toEqual(values);
    expect(await Promise.all(model.weights.map((variable) => variable.value.array()))).not.toEqual(values);
  });

  itRequires("libtorch", "loops, branches and scans give what the built-in engine gives", async () => {
    const results: number[][] = [];
    for (const name of ["numpy", "torch"]) {
      const loaded = await kerasOn(name);
      const { ops, random } = loaded;
      const x = ops.array([[0.5, -1, 2, 0.25]]);
      const [, looped] = ops.whileLoop(
        (i: keras.Tensor) => ops.less(i, 5),
        (i: keras.Tensor, v: keras.Tensor): [keras.Tensor, keras.Tensor] => [
          ops.add(i, 1),
          ops.tanh(ops.multiply(v, 1.5)),
        ],
        [ops.cast(0, "int32"), x],
      );
      const branch = ops.cond(
        ops.greater(ops.sum(x), 0),
        () => ops.exp(x),
        () => ops.negative(x),
      );
      const [carry, rows] = ops.scan(
        (c: keras.Tensor, row: keras.Tensor): [keras.Tensor, keras.Tensor] => [ops.add(c, row), ops.multiply(c, row)],
        ops.array([1, 1]),
        {
          xs: ops.array([
            [1, 2],
            [3, 4],
            [5, 6],
          ]),
        },
      );
      const noise = random.uniform([3], { seed: 5 });
      const values: number[] = [];
      for (const t of [looped, branch, carry, rows, noise]) values.push(...(await t.data()).numbers());
      results.push(values);
    }
    results[1]!.forEach((v, i) => expect(v).toBeCloseTo(results[0]![i]!, 5));
  });

  itRequires("libtorch", "an eager loop without scopes is bounded by the garbage collector", async () => {
    const { ops } = await kerasOn("torch");
    const x = ops.ones([256, 1024]);
    const step = async (): Promise<void> => {
      let y = ops.add(x, 1);
      for (let i = 0; i < 10; i++) y = ops.multiply(y, 1.0001);
      await new Promise((resolve) => setImmediate(resolve));
    };
    let most = 0;
    for (let i = 0; i < 300; i++) {
      await step();
      most = Math.max(most, (await held()).bytes);
    }
    // Three thousand results of a megabyte each were made.
    expect(most).toBeLessThan(1e9);
  });
});

describe("steps in the background", () => {
  itRequires(
    "libtorch",
    "learn the same, leave nothing behind, and let others read and predict meanwhile",
    async () => {
      const loaded = await kerasOn("torch");
      const [x, y] = batch(loaded);
      const learn = async (model: keras.Sequential): Promise<keras.NDArray> => {
        await model.fit(x, y, { epochs: 10, batchSize: 8, verbose: 0, shuffle: false });
        return model.predict(x, { verbose: 0 });
      };
      const wanted = await learn(network(loaded));
      loaded.config.enableBackgroundSteps();
      try {
        const model = network(loaded);
        let reads = 0;
        const reader = setInterval(() => {
          for (const variable of model.trainableVariables) expect(variable.stored.handle).toBeDefined();
          void model.predictOnBatch(x).then(() => reads++);
        }, 1);
        const seen = await learn(model).finally(() => clearInterval(reader));
        seen.numbers().forEach((v, i) => expect(v).toBeCloseTo(wanted.numbers()[i]!, 5));
        expect(reads).toBeGreaterThan(0);
        await learn(model);
        const before = await held();
        for (let i = 0; i < 5; i++) await learn(model);
        expect(await held()).toEqual(before);
      } finally {
        loaded.config.disableBackgroundSteps();
      }
    },
  );
});
