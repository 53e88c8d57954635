import "../backend/index.js";
import { beforeEach, describe, expect, it } from "vitest";
import { deserializeKerasObject } from "../config/deserialize.js";
import { serializeKerasObject } from "../config/serialize.js";
import { valueAndGradients } from "../core/gradient.js";
import { jit } from "../core/jit.js";
import { clearSession } from "../core/settings.js";
import type { Tensor } from "../core/tensor.js";
import { Variable } from "../core/variable.js";
import { add, multiply, square, subtract } from "../ops/arithmetic.js";
import { sum } from "../ops/reductions.js";
import * as P from "../primitives/index.js";
import * as optimizers from "./index.js";
import type { Optimizer } from "./index.js";

const {
  Adadelta,
  Adafactor,
  Adagrad,
  AdamW,
  Adamax,
  Ftrl,
  get,
  Lamb,
  Lion,
  Muon,
  Nadam,
  schedules,
  ScheduleFreeAdamW,
  SGD,
} = optimizers;
beforeEach(clearSession);

const weights = (): Variable[] => [
  new Variable(
    [
      [1, -2],
      [3, 0.5],
      [-1, 2],
    ],
    { name: "kernel", dtype: "float32" },
  ),
  new Variable([1, -1], { name: "bias", dtype: "float32" }),
];
const lossOf = (variables: readonly Variable[]): Tensor =>
  variables.map((v) => sum(square(subtract(v.value, 0.3)))).reduce((a, b) => add(a, b));
const step = (optimizer: Optimizer, variables: readonly Variable[]): Tensor => {
  const { value, gradients } = valueAndGradients(
    () => lossOf(variables),
    variables.map((v) => v.value),
  );
  optimizer.apply(gradients, variables);
  return value as Tensor;
};
const values = async (variables: readonly Variable[]): Promise<number[]> =>
  (await Promise.all(variables.map((v) => v.numpy()))).flatMap((array) => [...array.numbers()]);

describe.each<[string, () => Optimizer]>([
  ["Adadelta", () => new Adadelta({ learningRate: 20 })],
  ["Adafactor", () => new Adafactor({ learningRate: 0.2 })],
  ["Adagrad", () => new Adagrad({ learningRate: 0.5 })],
  ["AdamW", () => new AdamW({ learningRate: 0.05, amsgrad: true })],
  ["Adamax", () => new Adamax({ learningRate: 0.1 })],
  ["Ftrl", () => new Ftrl({ learningRate: 0.5, l2RegularizationStrength: 0.001, beta: 0.1 })],
  ["Lamb", () => new Lamb({ learningRate: 0.05 })],
  ["Lion", () => new Lion({ learningRate: 0.03 })],
  ["Muon", () => new Muon({ learningRate: 0.1, adamLrRatio: 0.5 })],
  ["Nadam", () => new Nadam({ learningRate: 0.1 })],
  ["ScheduleFreeAdamW", () => new ScheduleFreeAdamW({ learningRate: 0.1, warmupSteps: 3 })],
])("%s", (_, make) => {
  it("goes downhill", async () => {
    const [optimizer, variables] = [make(), weights()];
    const first = await step(optimizer, variables).item();
    for (let i = 0; i < 80; i++) step(optimizer, variables);
    expect(await lossOf(variables).item()).toBeLessThan(first / 4);
  });
  it("steps the same when compiled", async () => {
    const [eager, compiled] = [
      [make(), weights()],
      [make(), weights()],
    ] as const;
    compiled[0].build(compiled[1]);
    const run = jit(() => step(compiled[0], compiled[1]));
    for (let i = 0; i < 3; i++) {
      step(...eager);
      run();
    }
    const [a, b] = [await values(eager[1]), await values(compiled[1])];
    a.forEach((value, i) => expect(value).toBeCloseTo(b[i]!, 5));
  });
  it("is saved with its state", async () => {
    const [optimizer, variables] = [make(), weights()];
    step(optimizer, variables);
    const again = deserializeKerasObject(serializeKerasObject(optimizer)) as Optimizer;
    expect(again.getConfig()).toEqual(optimizer.getConfig());
    const copies = variables.map((v) => new Variable(multiply(v.value, 1), { name: v.name, dtype: "float32" }));
    again.build(copies);
    expect(again.loadOwnVariables(await optimizer.saveOwnVariables())).toBe(true);
    step(optimizer, variables);
    step(again, copies);
    expect(await values(copies)).toEqual(await values(variables));
  });
});

it("Muon leaves embeddings, vectors and excluded layers to Adam", () => {
  const names = (optimizer: Optimizer, path: string): number => {
    optimizer.build([new Variable([[1]], { name: path, dtype: "float32" })]);
    return optimizer.variables.filter(({ name }) => name.endsWith("velocity")).length;
  };
  expect(names(new Muon(), "kernel")).toBe(0);
  expect(names(new Muon(), "my_embedding")).toBe(1);
  expect(names(new Muon({ excludeEmbeddings: false }), "my_embedding")).toBe(0);
  expect(names(new Muon({ excludeLayers: ["ker.*"] }), "kernel")).toBe(1);
});
it("decays weights", async () => {
  const decayed = async (optimizer: Optimizer): Promise<number[]> => {
    const variables = [new Variable([[2]], { name: "kernel", dtype: "float32" })];
    optimizer.apply([P.full([1, 1], 0, "float32")], variables);
    return values(variables);
  };
  expect((await decayed(new AdamW({ learningRate: 0.5 })))[0]).toBeCloseTo(2 * (1 - 0.5 * 0.004), 6);
  expect((await decayed(new Muon({ learningRate: 0.5, weightDecay: 0.1 })))[0]).toBeCloseTo(2 * (1 - 0.05), 6);
  expect(await decayed(new Lion({ learningRate: 0.5 }))).toEqual([2]);
});
it("finds optimizers by name", () => {
  expect(get("adamw")).toBeInstanceOf(AdamW);
  expect(get("schedulefreeadamw")).toBeInstanceOf(ScheduleFreeAdamW);
  expect(() => get("lamb" as "adam")).toThrow();
});
it("refuses what makes no sense", () => {
  expect(() => new Lion({ beta1: 0 })).toThrow("`Lion.beta1`");
  expect(() => new Ftrl({ learningRatePower: 1 })).toThrow("`Ftrl.learningRatePower`");
  expect(() => new AdamW({ weightDecay: null as never })).toThrow("`AdamW.weightDecay`");
});

describe("schedules", () => {
  const at = async (schedule: optimizers.schedules.LearningRateSchedule, ...steps: number[]): Promise<number[]> =>
    Promise.all(steps.map((one) => schedule(one).item()));
  const close = (found: readonly number[], wanted: readonly number[]): void =>
    found.forEach((value, i) => expect(value).toBeCloseTo(wanted[i]!, 5));
  it("decay", async () => {
    close(await at(new schedules.ExponentialDecay(0.8, 10, 0.5), 0, 5, 10), [0.8, 0.8 * Math.SQRT1_2, 0.4]);
    close(await at(new schedules.ExponentialDecay(0.8, 10, 0.5, { staircase: true }), 9, 10), [0.8, 0.4]);
    close(await at(new schedules.InverseTimeDecay(1, 2, 0.5), 0, 2, 4), [1, 1 / 1.5, 1 / 2]);
    close(await at(new schedules.InverseTimeDecay(1, 2, 0.5, { staircase: true }), 3), [1 / 1.5]);
    close(await at(new schedules.PolynomialDecay(1, 10, { endLearningRate: 0.1, power: 2 }), 0, 5, 10, 20), [
      1,
      0.1 + 0.9 * 0.25,
      0.1,
      0.1,
    ]);
    close(await at(new schedules.PolynomialDecay(1, 10, { endLearningRate: 0, cycle: true }), 0, 10, 15), [1, 0, 0.25]);
    close(await at(new schedules.PiecewiseConstantDecay([2, 5], [1, 0.5, 0.1]), 0, 2, 3, 5, 6), [1, 1, 0.5, 0.5, 0.1]);
    close(await at(new schedules.CosineDecay(1, 10, { alpha: 0.2 }), 0, 5, 10, 99), [1, 0.6, 0.2, 0.2]);
    close(
      await at(new schedules.CosineDecay(0, 10, { warmupTarget: 2, warmupSteps: 4 }), 0, 2, 4, 9, 14),
      [0, 1, 2, 1, 0],
    );
    close(await at(new schedules.CosineDecayRestarts(1, 4, { mMul: 0.5 }), 0, 2, 4, 8), [1, 0.5, 0.5, 0.25]);
    close(await at(new schedules.CosineDecayRestarts(1, 4, { tMul: 1 }), 6, 8), [0.5, 1]);
  });
  it("set an optimizer's pace, compiled too, and are saved with it", async () => {
    const optimizer = new SGD({ learningRate: new schedules.PiecewiseConstantDecay([0], [1, 0.25]) });
    const variables = [new Variable([4], { name: "v", dtype: "float32" })];
    optimizer.build(variables);
    const run = jit(() => optimizer.apply([P.full([1], 1, "float32")], variables));
    run();
    expect(await values(variables)).toEqual([3]);
    run();
    expect(await values(variables)).toEqual([2.75]);
    const again = deserializeKerasObject(serializeKerasObject(optimizer)) as InstanceType<typeof SGD>;
    expect(again.learningRate).toBeInstanceOf(schedules.PiecewiseConstantDecay);
    expect(again.getConfig()).toEqual(optimizer.getConfig());
  });
  it("refuse what makes no sense", () => {
    expect(() => new schedules.ExponentialDecay(1, 0, 1)).toThrow("`ExponentialDecay.decaySteps` must be a number > 0");
    expect(() => new schedules.PiecewiseConstantDecay([1], [1])).toThrow("one more than the boundaries");
  });
});

describe("LossScaleOptimizer", () => {
  const make = (): [optimizers.LossScaleOptimizer, Variable[]] => [
    new optimizers.LossScaleOptimizer(new SGD({ learningRate: 0.5 }), { initialScale: 8, dynamicGrowthSteps: 2 }),
    [new Variable([4], { name: "v", dtype: "float32" })],
  ];
  const gradient = (value: number): Tensor => P.full([1], value, "float32");
  it.each([false, true])(
    "divides gradients, grows, and leaves out steps that overflow; compiled: %s",
    async (compiled) => {
      const [optimizer, variables] = make();
      optimizer.build(variables);
      const plain = (g: Tensor): void => optimizer.apply([g], variables);
      const run = compiled ? jit(plain) : plain;
      const scale = async (): Promise<number> => optimizer.scaleLoss(P.full([], 1, "float32")).item();
      run(gradient(8));
      expect([await values(variables), await scale()]).toEqual([[3.5], 8]);
      run(gradient(8));
      expect([await values(variables), await scale()]).toEqual([[3], 16]);
      run(gradient(Infinity));
      expect([await values(variables), await scale()]).toEqual([[3], 8]);
      run(gradient(NaN));
      expect([await values(variables), await scale()]).toEqual([[3], 4]);
      expect(await optimizer.iterations.item()).toBe(2);
    },
  );
  it("stands for its inner optimizer", () => {
    const [optimizer, variables] = make();
    optimizer.learningRate = 0.25;
    expect(optimizer.innerOptimizer.learningRate).toBe(0.25);
    optimizer.build(variables);
    expect(optimizer.variables.map(({ name }) => name)).toEqual([
      "iteration",
      "learning_rate",
      "step_counter",
      "dynamic_scale",
      "iteration",
      "learning_rate",
    ]);
  });
  it("is saved with it, and takes no options of others", () => {
    const [optimizer] = make();
    const again = deserializeKerasObject(serializeKerasObject(optimizer)) as optimizers.LossScaleOptimizer;
    expect(again.getConfig()).toEqual(optimizer.getConfig());
    expect(Object.keys(again.getConfig())).toEqual([
      "name",
      "inner_optimizer",
      "initial_scale",
      "dynamic_growth_steps",
    ]);
    expect(() => new optimizers.LossScaleOptimizer(new SGD(), { clipnorm: 1 } as object)).toThrow(
      "does not know `clipnorm`",
    );
    expect(() => new optimizers.LossScaleOptimizer("sgd" as never)).toThrow("must be an optimizer");
  });
});
