import { afterEach, describe, expect, it } from "vitest";
import { Configurable } from "./configurable.js";
import { configure } from "./configure.js";
import { type Field, float, objectField } from "./fields.js";
import { makeLookup } from "./lookup.js";
import { getCustomObjects, registerKerasSerializable } from "./registry.js";
import { deserializeKerasObject } from "./deserialize.js";

abstract class Initializer extends configure(Configurable, "Initializer", {}) {
  static override readonly module = "keras.test_initializers";
}
class Zeros extends configure(Initializer, "Zeros", {}) {
  constructor() {
    super({});
  }
}
class RandomNormal extends configure(Initializer, "RandomNormal", { mean: float(0) }) {
  constructor(options: { mean?: number } = {}) {
    super(options);
  }
}
class Fixed {
  constructor(readonly values: readonly number[]) {}
}
const isInitializer = (value: unknown): value is Initializer | Fixed =>
  value instanceof Initializer || value instanceof Fixed;
const initializers = makeLookup({
  kind: "initializer",
  module: "keras.test_initializers",
  objects: { Zeros, RandomNormal },
  aliases: { normal: RandomNormal },
  accepts: isInitializer,
  convert: (value) => (Array.isArray(value) ? new Fixed(value as number[]) : undefined),
});

type Activation = (x: number) => number;
const linear: Activation = (x) => x;
const logSigmoid: Activation = (x) => -Math.log(1 + Math.exp(-x));
const square: Activation = (x) => x * x;
const activations = makeLookup({
  kind: "activation",
  module: "keras.test_activations",
  objects: { linear, log_sigmoid: logSigmoid },
  aliases: { identity: linear },
  bareNames: true,
  whenNull: linear,
  accepts: (value): value is Activation => typeof value === "function",
});

afterEach(() => getCustomObjects().clear());
const envelope = (name: string, config: object = {}) => ({
  module: "keras.test_initializers",
  class_name: name,
  config,
  registered_name: null,
});

describe("get", () => {
  it("takes names, classes, configs and objects", () => {
    for (const name of ["RandomNormal", "random_normal", "normal"] as const) {
      expect(initializers.get(name)).toBeInstanceOf(RandomNormal);
    }
    expect(initializers.get("zeros")).not.toBe(initializers.get("zeros"));
    expect(initializers.get(Zeros)).toBeInstanceOf(Zeros);
    expect((initializers.get(envelope("RandomNormal", { mean: 2 })) as RandomNormal).mean).toBe(2);
    expect((initializers.get({ class_name: "random_normal", config: { mean: 3 } }) as RandomNormal).mean).toBe(3);
    const zeros = new Zeros();
    expect(initializers.get(zeros)).toBe(zeros);
    expect(initializers.get([1, 2] as never)).toEqual(new Fixed([1, 2]));
    expect([initializers.get(null), activations.get(null)]).toEqual([null, linear]);
    expect(activations.get("identity")).toBe(linear);
    expect(activations.get(square)).toBe(square);
  });

  it("knows registered objects", () => {
    class Ones extends Zeros {}
    registerKerasSerializable({ package: "mine" })(Ones);
    expect(initializers.get("mine>Ones" as never)).toBeInstanceOf(Ones);
    expect(initializers.get({ ...envelope("Ones"), module: null, registered_name: "mine>Ones" })).toBeInstanceOf(Ones);
    expect(initializers.deserialize("Ones", { customObjects: { Ones } })).toBeInstanceOf(Ones);
  });

  it("says what is wrong", () => {
    expect(() => initializers.get("zeroes" as never, "Dense.kernelInitializer")).toThrow(
      '`Dense.kernelInitializer`: there is no initializer "zeroes". Known: zeros, random_normal, normal, Zeros, RandomNormal.',
    );
    expect(() => initializers.get(5 as never)).toThrow("cannot make an initializer of 5.");
    expect(() => initializers.get(Date as never)).toThrow("cannot make an initializer of function Date.");
    expect(() => initializers.get("constructor" as never)).toThrow("there is no initializer");
    expect(() => initializers.get(envelope("Nothing"))).toThrow("There is no class `keras.test_initializers.Nothing`.");
    expect(() => initializers.get({ ...envelope("Zeros"), module: null })).toThrow("There is no class `Zeros`");
  });

  it("can ignore capitals", () => {
    const optimizers = makeLookup({
      kind: "optimizer",
      module: "keras.test_optimizers",
      objects: { RMSprop: Zeros },
      ignoreCase: true,
      snakeNames: false,
      accepts: isInitializer,
    });
    expect(optimizers.get("rmsprop" as never)).toBeInstanceOf(Zeros);
    expect(optimizers.get("RMSPROP" as never)).toBeInstanceOf(Zeros);
    expect(() => optimizers.get("rm_sprop" as never)).toThrow("there is no optimizer");
  });
});

describe("serialize and deserialize", () => {
  it("undo each other", () => {
    expect(initializers.serialize(new RandomNormal())).toEqual(envelope("RandomNormal", { mean: 0 }));
    expect(initializers.serialize(null)).toBe(null);
    expect(activations.serialize(logSigmoid)).toBe("log_sigmoid");
    expect(activations.deserialize("log_sigmoid")).toBe(logSigmoid);
    const custom = { module: "builtins", class_name: "function", config: "square", registered_name: "function" };
    expect(activations.serialize(square)).toEqual(custom);
    expect(activations.deserialize(custom, { customObjects: { square } })).toBe(square);
    expect(activations.deserialize({ ...custom, config: "linear" })).toBe(linear);
  });

  it("make the objects known to loading in general", () => {
    expect(deserializeKerasObject(envelope("Zeros"))).toBeInstanceOf(Zeros);
  });
});

describe("objectField", () => {
  const read = (field: Field<unknown, unknown>, value: unknown) => field.read(value, "Dense.arg", "Dense");

  it("holds the object and saves its config", () => {
    const field = objectField(() => initializers, "zeros");
    expect(field.fallback).toBe("zeros");
    const held = field.read("random_normal", "Dense.arg", "Dense");
    expect(held).toBeInstanceOf(RandomNormal);
    expect(field.write(held)).toEqual(envelope("RandomNormal", { mean: 0 }));
  });

  it("takes null where it is the fallback or stands for something", () => {
    expect(read(objectField(initializers, null), null)).toBe(null);
    expect(objectField(activations, "log_sigmoid").read(null, "Dense.arg", "Dense")).toBe(linear);
    const message = "`Dense.arg` must be an initializer, its name or its config. Received: null.";
    expect(() => read(objectField(initializers, "zeros"), null)).toThrow(message);
    expect(() => read(objectField(initializers), undefined)).toThrow("`Dense.arg` is required: an initializer");
  });
});
