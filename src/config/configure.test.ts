import { inspect } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { resetUids } from "../utils/naming.js";
import { PyFloat } from "../utils/py-float.js";
import { Configurable, initialValues } from "./configurable.js";
import { configure, configureCustom } from "./configure.js";
import { type Options, accessor, autoNamed, bool, float, int, oneOf, optional, positiveInt } from "./fields.js";

const baseFields = { name: autoNamed(), trainable: bool(true), tag: optional(int(), null, { saved: "whenSet" }) };
interface UnitOptions extends Options<typeof baseFields> {}

interface Unit {
  (x: number): number;
}

abstract class Unit extends configure(Configurable, "Unit", baseFields) {
  static override readonly module: string = "keras.units";
  #calls = 0;
  get calls(): number {
    return this.#calls;
  }
  abstract call(x: number): number;
  protected override invoke(x: number): number {
    this.#calls++;
    return this.call(x);
  }
}

const scaleFields = {
  units: positiveInt(),
  factor: float(1),
  mode: oneOf(["add", "multiply"], "multiply"),
  beta1: float(0.9, { savedAs: "beta_1", min: 0, below: 1 }),
  useBias: bool(true),
  note: bool(false, { saved: false }),
};
interface ScaleOptions extends UnitOptions, Options<typeof scaleFields> {}
class Scale extends configure(Unit, "Scale", scaleFields) {
  #secret = 10;
  constructor(units: number, options: ScaleOptions = {}) {
    super({ units, ...options });
  }
  override call(x: number): number {
    return x * this.factor * this.units + (this.useBias ? this.#secret : 0);
  }
}

beforeEach(resetUids);

describe("instances", () => {
  it("hold their arguments and can be called", () => {
    const scale = new Scale(3, { factor: 2 });
    expect(scale.units).toBe(3);
    expect(scale.mode).toBe("multiply");
    expect(scale(5)).toBe(40);
    expect(scale.calls).toBe(1);
    expect([scale instanceof Scale, scale instanceof Unit, scale instanceof Function]).toEqual([true, true, false]);
    expect(Object.keys(scale).slice(0, 4)).toEqual(["name", "trainable", "tag", "units"]);
  });

  it("are plain objects when their class has no invoke", () => {
    class Policy extends configure(Configurable, "Policy", { name: autoNamed() }) {
      constructor(options: { name?: string } = {}) {
        super(options);
      }
    }
    const policy = new Policy();
    expect([typeof policy, policy.name]).toEqual(["object", "policy"]);
  });

  it("are named after their class, once each", () => {
    expect([new Scale(1).name, new Scale(1).name, new Scale(1, { name: "mine" }).name]).toEqual([
      "scale",
      "scale_1",
      "mine",
    ]);
  });

  it("print readably", () => {
    expect(inspect(new Scale(3), { breakLength: Infinity })).toMatch(
      /^Scale \{ name: 'scale', trainable: true,.*units: 3/,
    );
    expect(inspect({ deep: { deeper: { deepest: new Scale(3) } } })).toContain("[Scale]");
  });
});

describe("checks", () => {
  it("name the argument, what was expected and what came", () => {
    expect(() => new Scale(-1)).toThrow(new TypeError("`Scale.units` must be a positive integer. Received: -1."));
    expect(() => new Scale(2.5)).toThrow("Received: 2.5.");
    expect(() => new Scale("3" as never)).toThrow('Received: "3".');
    expect(() => new Scale(1, { beta1: 1 })).toThrow("`Scale.beta1` must be a number >= 0 and < 1. Received: 1.");
    expect(() => new Scale(1, { mode: "divide" as never })).toThrow('`Scale.mode` must be one of "add", "multiply".');
    expect(() => new Scale(1, { useBias: null as never })).toThrow(
      "`Scale.useBias` must be true or false. Received: null.",
    );
    expect(() => new Scale(1, { name: "a/b" })).toThrow('`Scale.name` must be a string without "/".');
    expect(() => new (Scale as unknown as new () => Scale)()).toThrow("`Scale.units` is required: a positive integer.");
  });

  it("list the known options when one is unknown", () => {
    expect(() => new Scale(1, { use_bias: true } as never)).toThrow(
      "`Scale` has no option `use_bias`. Did you mean `useBias`? Known options: name, trainable, tag, units, factor, mode, beta1, useBias, note.",
    );
    expect(() => new Scale(1, { toString: 1 } as never)).toThrow("has no option `toString`");
    expect(() => new Scale(1, JSON.parse('{"__proto__": {"units": 3}}') as object)).toThrow(
      "has no option `__proto__`",
    );
  });

  it("take undefined for absent", () => {
    expect(new Scale(1, { factor: undefined, name: undefined }).factor).toBe(1);
  });

  it("call a subclass by its own name", () => {
    class Doubled extends Scale {}
    expect(new Doubled(1).name).toBe("doubled");
    expect(() => new Doubled(0)).toThrow("`Doubled.units` must");
  });
});

describe("configs", () => {
  const saved = {
    name: "scale",
    trainable: true,
    units: 3,
    factor: 1,
    mode: "multiply",
    beta_1: 0.9,
    use_bias: true,
  };

  it("use Python's names, inherited ones first", () => {
    const config = new Scale(3).getConfig();
    expect(config).toEqual(saved);
    expect(Object.keys(config)).toEqual(Object.keys(saved));
    expect(new Scale(3, { tag: 7 }).getConfig()).toEqual({ ...saved, name: "scale_1", tag: 7 });
  });

  it("make equal objects", () => {
    const copy = Scale.fromConfig({ ...saved, factor: new PyFloat(4), tag: 1 });
    expect(copy).toBeInstanceOf(Scale);
    expect([copy.units, copy.factor, copy.beta1, copy.tag, copy.name]).toEqual([3, 4, 0.9, 1, "scale"]);
    expect(Scale.fromConfig({ units: 2 }).name).toBe("scale");
  });

  it("give positional arguments by position even when they may be left out", () => {
    class Constant extends configure(Configurable, "Constant", {
      value: float(0, { positional: true }),
      other: int(1),
    }) {
      constructor(value = 0, { other = 1 }: { other?: number } = {}) {
        super({ value, other });
      }
    }
    expect(Constant.fromConfig({ value: 5, other: 2 }).getConfig()).toEqual({ value: 5, other: 2 });
    expect(Constant.fromConfig({ other: 2 }).getConfig()).toEqual({ value: 0, other: 2 });
  });

  it("with unknown keys are refused", () => {
    expect(() => Scale.fromConfig({ ...saved, unitz: 3 })).toThrow(
      '`Scale.fromConfig` does not know the key "unitz". Known keys: name, trainable, tag, units, factor, mode, beta_1, use_bias, note.',
    );
  });

  it("of a subclass replace inherited fields in their place", () => {
    class Fixed extends configure(Scale, "Fixed", { factor: float(7), extra: optional(float()) }) {
      constructor(units: number) {
        super({ units });
      }
    }
    expect(Object.keys(Fixed.fields)).toEqual([...Object.keys(baseFields), ...Object.keys(scaleFields), "extra"]);
    expect(Fixed.className).toBe("Fixed");
    expect(Fixed.module).toBe("keras.units");
  });
});

describe("hand-written subclasses", () => {
  class Power extends Unit {
    constructor(
      readonly exponent: number,
      readonly shift = 0,
      options: UnitOptions = {},
    ) {
      super(options);
    }
    override call(x: number): number {
      return x ** this.exponent + this.shift;
    }
    override getConfig() {
      return { ...super.getConfig(), exponent: this.exponent };
    }
  }
  class Root extends Unit {
    readonly rootDegree: number;
    constructor({ rootDegree = 2, ...options }: UnitOptions & { rootDegree?: number } = {}) {
      super(options);
      this.rootDegree = rootDegree;
    }
    override call(x: number): number {
      return x ** (1 / this.rootDegree);
    }
    override getConfig() {
      return { ...super.getConfig(), root_degree: this.rootDegree };
    }
  }

  it("are called by their JavaScript class name", () => {
    expect([Power.className, new Power(2).name, new Power(3)(2)]).toEqual(["Power", "power", 8]);
  });

  it("come back from their config: required arguments by position, others as options", () => {
    class Cube extends Unit {
      constructor(
        readonly exponent: number,
        options: UnitOptions = {},
      ) {
        super(options);
      }
      override call(x: number): number {
        return x ** this.exponent;
      }
    }
    const cube = Cube.fromConfig({ name: "cube", trainable: false, exponent: 3 });
    expect([cube.exponent, cube.name, cube.trainable]).toEqual([3, "cube", false]);
    const root = Root.fromConfig(new Root({ rootDegree: 3, name: "third" }).getConfig());
    expect([root.rootDegree, root.name]).toEqual([3, "third"]);
  });

  it("may say their class name themselves", () => {
    class Minified extends Unit {
      static override readonly className = "Readable";
      override call(x: number): number {
        return x;
      }
    }
    expect([Minified.className, new Minified({}).name]).toEqual(["Readable", "readable"]);
  });
});

describe("accessor", () => {
  const fields = { level: accessor(int(1)) };
  class Volume extends configure(Configurable, "Volume", fields) {
    #level: number;
    constructor(options: Options<typeof fields> = {}) {
      super(options);
      this.#level = initialValues(this, fields).level;
    }
    get level(): number {
      return this.#level;
    }
    set level(level: number) {
      this.#level = level;
    }
  }

  it("leaves the property to the class", () => {
    const volume = new Volume({ level: 3 });
    volume.level = 5;
    expect(volume.getConfig()).toEqual({ level: 5 });
    expect(Object.keys(volume)).toEqual([]);
  });
});

describe("configureCustom", () => {
  it("works like configure for classes of users", () => {
    const fields = { amount: float({ min: 0 }) };
    class Add extends configureCustom(Unit, "Add", fields) {
      constructor(amount: number, options: UnitOptions = {}) {
        super({ amount, ...options });
      }
      override call(x: number): number {
        return x + this.amount;
      }
    }
    expect(Add.fromConfig(new Add(2).getConfig())(1)).toBe(3);
    expect(() => Add.fromConfig({ amount: 1, other: 2 })).toThrow("does not know the key");
  });
});
