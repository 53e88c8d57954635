import "../../backend/index.js";
import { beforeEach, describe, expect, it } from "vitest";
import { deserializeKerasObject } from "../../config/deserialize.js";
import { serializeKerasObject } from "../../config/serialize.js";
import { valueAndGradients, vectorJacobianProduct } from "../../core/gradient.js";
import { jit } from "../../core/jit.js";
import { clearSession } from "../../core/settings.js";
import { tensor, type Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { Sequential } from "../../models/index.js";
import { Adam } from "../../optimizers/index.js";
import { add, square } from "../../ops/arithmetic.js";
import { matmul } from "../../ops/matmul.js";
import { sum } from "../../ops/reductions.js";
import { unstack } from "../../ops/slices.js";
import { setRandomSeed } from "../../random/seed-generator.js";
import {
  Dense,
  GRU,
  GRUCell,
  Input,
  Layer,
  LSTM,
  LSTMCell,
  RNN,
  SimpleRNN,
  SimpleRNNCell,
  StackedRNNCells,
} from "../index.js";
import { elements, values } from "../testing.js";

beforeEach(clearSession);

async function close(a: Tensor, b: Tensor, digits = 5): Promise<void> {
  expect(a.shape).toEqual(b.shape);
  const [p, q] = [await elements(a), await elements(b)];
  p.forEach((value, i) => expect(value).toBeCloseTo(q[i]!, digits));
}
const mask = tensor([
  [true, false, true, true],
  [false, true, true, false],
]);

/** The step-by-step twin of a layer, with the same weights. */
async function twin(layer: RNN): Promise<RNN> {
  const other = deserializeKerasObject(serializeKerasObject(layer)) as RNN;
  other.setWeights(await layer.getWeights());
  return other;
}
const makers = {
  SimpleRNN: (options: object) => new SimpleRNN(3, options),
  LSTM: (options: object) => new LSTM(3, options),
  GRU: (options: object) => new GRU(3, options),
  "GRU that resets before": (options: object) => new GRU(3, { resetAfter: false, ...options }),
} as unknown as Record<string, (options: object) => RNN>;

describe.each(Object.entries(makers))("%s", (_, make) => {
  it("gives what its cell gives step by step", async () => {
    const x = values([2, 4, 5]);
    const layer = make({ returnSequences: true, returnState: true });
    const [outputs, ...states] = layer<Tensor[]>(x);
    const cell = layer.cell as unknown as (...args: unknown[]) => [Tensor, Tensor[]];
    let state = layer.getInitialState(2) as Tensor[];
    for (const [i, step] of unstack(x, { axis: 1 }).entries()) {
      const [output, next] = cell(step, state);
      await close(unstack(outputs!, { axis: 1 })[i]!, output);
      state = next;
    }
    expect(states.length).toBe(state.length);
    for (const [i, last] of states.entries()) await close(last, state[i]!);
  });
  it("keeps states and outputs where a step is masked, or gives zeros", async () => {
    const layer = make({ returnSequences: true, returnState: true });
    const [outputs, last] = layer<Tensor[]>(values([2, 4, 5]), { mask });
    const steps = unstack(unstack(outputs!, { axis: 0 })[0]!, { axis: 0 });
    await close(steps[1]!, steps[0]!);
    await close(unstack(last!, { axis: 0 })[0]!, steps[3]!);
    const zeros = make({ returnSequences: true, zeroOutputForMask: true });
    const [first] = unstack(zeros(values([2, 4, 5]), { mask }), { axis: 0 });
    expect(await elements(unstack(first!, { axis: 0 })[1]!)).toEqual([0, 0, 0]);
    const blank = make({ zeroOutputForMask: true });
    expect(await elements(unstack(blank(values([2, 4, 5]), { mask }), { axis: 0 })[1]!)).toEqual([0, 0, 0]);
  });
  it.each([{}, { goBackwards: true }, { returnSequences: true }, { returnSequences: true, goBackwards: true }])(
    "has the gradients of the loop written out: %o",
    async (options) => {
      const x = values([2, 4, 5]);
      const layer = make(options);
      layer(x);
      const written = make({ ...options, unroll: true });
      written(x);
      written.setWeights(await layer.getWeights());
      for (const given of [{}, { mask }]) {
        // Masked outputs of a loop that is written out begin with zeros in Python too; states do not differ.
        if ("mask" in given && "returnSequences" in options) continue;
        const gradients = (one: RNN): Tensor[] => {
          const wrt = [x, ...one.trainableVariables.map((v) => v.value)];
          // Of the second order as well.
          const scalar = (): Tensor => {
            const inner = vectorJacobianProduct(
              () => [one.call(x, null, given) as Tensor],
              wrt,
              ([y]) => [values(y!.shape, 3)],
            );
            return inner.gradients.map((g) => sum(square(g!))).reduce((a, b) => add(a, b));
          };
          const first = vectorJacobianProduct(
            () => [one.call(x, null, given) as Tensor],
            wrt,
            ([y]) => [values(y!.shape, 3)],
          ).gradients as Tensor[];
          return [...first, ...valueAndGradients(scalar, [x]).gradients];
        };
        const [a, b] = [gradients(layer), gradients(written)];
        for (const [i, g] of a.entries()) await close(g, b[i]!, 4);
      }
    },
  );
  it("goes on where the last call ended when it is stateful, compiled or not", async () => {
    const x = values([2, 4, 5]);
    const layer = make({ stateful: true });
    const first = layer(x);
    const other = await twin(layer);
    const whole = make({});
    whole(x);
    whole.setWeights(await layer.getWeights());
    const second = layer(x);
    expect(await elements(second)).not.toEqual(await elements(first));
    const compiled = jit((input: Tensor) => other(input));
    await close(compiled(x), first);
    await close(compiled(x), second);
    layer.resetState();
    await close(layer(x), whole(x));
    expect(layer.states!.map(({ name }) => name)).toContain("rnn_state");
    expect(layer.variables.some(({ name }) => name === "rnn_state")).toBe(false);
    expect(() => layer(values([3, 4, 5]))).toThrow(/batches of as many/);
    compiled.dispose();
  });
  it("draws its masks anew at each call, the same for all steps", async () => {
    const layer = make({ dropout: 0.5, recurrentDropout: 0.5, seed: 4, returnSequences: true });
    const x = values([2, 4, 5]);
    const [a, b] = [layer(x, { training: true }), layer(x, { training: true })];
    expect(await elements(a)).not.toEqual(await elements(b));
    expect(await elements(layer(x))).toEqual(await elements(layer(x)));
  });
  it("learns", async () => {
    const x = values([16, 6, 3]);
    setRandomSeed(1);
    const model = new Sequential([Input([6, 3]), make({}) as unknown as Layer, new Dense(1)]);
    model.compile({ optimizer: new Adam({ learningRate: 0.05 }), loss: "mse" });
    const history = await model.fit(x, values([16, 1], 2), { epochs: 30, verbose: 0 });
    const losses = history.history["loss"] as number[];
    expect(losses.at(-1)!).toBeLessThan(losses[0]! * 0.9);
  });
});

describe("RNN", () => {
  /** A cell of a user's. */
  class Sum extends Layer {
    readonly stateSize = 4;
    kernel: Variable | null = null;
    override build(inputShape: (number | null)[]): void {
      this.kernel = this.addWeight({ name: "kernel", shape: [inputShape.at(-1)!, 4] });
    }
    override call(inputs: Tensor, [state]: [Tensor]): [Tensor, Tensor[]] {
      const next = add(matmul(inputs, this.kernel!), state);
      return [next, [next]];
    }
  }
  it("runs any cell, alone or stacked, and takes plain objects", async () => {
    const layer = new RNN(new Sum());
    const y = layer(values([2, 3, 5]));
    expect(y.shape).toEqual([2, 4]);
    expect(layer.weights.map(({ path }) => path)).toEqual(["rnn/sum/kernel"]);
    const counter = {
      stateSize: 1,
      call: (inputs: Tensor, states: unknown) => {
        const next = add((states as Tensor[])[0]!, sum(inputs, { axis: -1, keepdims: true }));
        return [next, [next]];
      },
    };
    expect(await elements(new RNN(counter)(tensor([[[1], [2], [4]]])))).toEqual([7]);
    const stacked = new RNN([new LSTMCell(3), new GRUCell(4), new SimpleRNNCell(2)], { returnState: true });
    const [output, ...states] = stacked<[Tensor, ...unknown[]]>(values([2, 3, 5]));
    expect(output.shape).toEqual([2, 2]);
    expect((states[0] as Tensor[]).map(({ shape }) => shape)).toEqual([
      [2, 3],
      [2, 3],
    ]);
    expect(states.length).toBe(3);
    expect(stacked(Input([null, 5])) as unknown).toMatchObject([{ shape: [null, 2] }, [{}, {}], {}, {}]);
  });
  it("begins with the states it is given", async () => {
    const layer = new LSTM(3, { returnState: true });
    const x = values([2, 4, 5]);
    const steps = unstack(x, { axis: 1 });
    const [, h, c] = layer<Tensor[]>(x);
    const [again] = layer<Tensor[]>(x, { initialState: [h, c] });
    const cell = layer.cell as unknown as (...args: unknown[]) => [Tensor, Tensor[]];
    let states = [h!, c!];
    let output = h!;
    for (const step of steps) [output, states] = cell(step, states);
    await close(again!, output);
    expect(() => layer(x, { initialState: [h] })).toThrow(/has 2 state/);
  });
  it("says what is wrong with its arguments", () => {
    expect(() => new RNN({} as never)).toThrow("`RNN.cell` must be a cell with a `call` method and a `stateSize`");
    expect(() => new StackedRNNCells([3 as never])).toThrow("`StackedRNNCells.cells` must be an array of cells");
    expect(() => new LSTM(0)).toThrow("`LSTM.units`");
    expect(() => new LSTM(3)(values([2, 4]))).toThrow(/expected ndim=3/);
    expect(() => new LSTM(3, { useCudnn: true })(values([2, 4, 5]))).toThrow(/cuDNN/);
    expect(() => new GRU(3, { stateful: true })(Input([4, 5]))).toThrow(/needs a known batch size/);
    expect(() => new LSTM(3, { returnSequence: true } as never)).toThrow(/Known options: .*returnSequences/);
  });
});
