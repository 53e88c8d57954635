import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clearSession } from "../core/settings.js";
import { PyFloat } from "../utils/py-float.js";
import { Configurable } from "./configurable.js";
import { configure, configureCustom } from "./configure.js";
import { deserializeKerasObject } from "./deserialize.js";
import { type Config, type Options, any, autoNamed, dict, float, int, list, optional } from "./fields.js";
import {
  customObjectScope,
  getCustomObjects,
  getRegisteredName,
  getRegisteredObject,
  registerBuiltins,
  registerKerasSerializable,
} from "./registry.js";
import { enableUnsafeDeserialization, inSafeMode, withSafeMode } from "./safe-mode.js";
import { serializeEllipsis, serializeKerasObject, serializeSlice } from "./serialize.js";
import { objectSharingScope } from "./sharing.js";

const fields = { name: autoNamed(), rate: float(1), sizes: list(int(), [1]), inner: any<unknown>(null) };
interface PartOptions extends Options<typeof fields> {}
class Part extends configure(Configurable, "Part", fields) {
  static override readonly module: string = "keras.parts";
  built = false;
  shape: unknown = null;
  compiled = false;
  constructor(options: PartOptions = {}) {
    super(options);
  }
  static override fromConfig<T extends Configurable>(this: new (...args: never[]) => T, config: Config): T {
    const make = this as unknown as new (options: object) => T;
    return new make({ ...config, inner: deserializeKerasObject(config["inner"]) });
  }
  getBuildConfig(): Config | null {
    return this.shape === null ? null : { input_shape: this.shape };
  }
  buildFromConfig(config: Config): void {
    this.shape = config["input_shape"];
  }
}
class CustomPart extends Part {}
const double = (x: number): number => 2 * x;
const halve = (x: number): number => x / 2;

registerBuiltins("keras.parts", { Part });
registerBuiltins("keras.activations", { double_it: double });
const envelope = (config: Config, more: Config = {}) => ({
  module: "keras.parts",
  class_name: "Part",
  config: { name: "part", rate: 1, sizes: [1], inner: null, ...config },
  registered_name: null,
  ...more,
});
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

beforeEach(clearSession);
afterEach(() => getCustomObjects().clear());

describe("values", () => {
  it("keep their form", () => {
    const value = { a: [1, "x", true, null], b: { c: [] }, gone: undefined, big: 2n };
    expect(serializeKerasObject(value)).toEqual({ a: [1, "x", true, null], b: { c: [] }, big: 2n });
    expect(deserializeKerasObject({ a: [1, "x", true, null], b: { c: new PyFloat(2) } })).toEqual({
      a: [1, "x", true, null],
      b: { c: 2 },
    });
    expect(serializeKerasObject(new Map([["k", 1]]))).toEqual({ k: 1 });
  });

  it("have envelopes where JSON has no form for them", () => {
    const bytes = new TextEncoder().encode("über");
    const saved = serializeKerasObject(bytes);
    expect(saved).toEqual({ class_name: "__bytes__", config: { value: "über" } });
    expect(deserializeKerasObject(saved)).toEqual(bytes);
    expect(() => serializeKerasObject(new Uint8Array([255]))).toThrow("Cannot save 1 bytes that are not UTF-8 text.");
    expect(deserializeKerasObject(serializeSlice({ start: 1, step: 2 }))).toEqual({ start: 1, stop: null, step: 2 });
    expect(deserializeKerasObject(serializeEllipsis())).toBe("...");
  });

  it("of kinds that no codec knows are refused", () => {
    class Celsius {
      constructor(readonly degrees: number) {}
    }
    const saved = { class_name: "__celsius__", config: { degrees: 20 } };
    expect(() => deserializeKerasObject(saved)).toThrow('Cannot read a saved value of the kind "__celsius__".');
    expect(() => serializeKerasObject(new Celsius(20))).toThrow("Cannot save an instance of Celsius");
  });

  it("refuse Python lambdas", () => {
    const lambda = { class_name: "__lambda__", config: { value: ["4wEAAA==", null, null] } };
    expect(() => deserializeKerasObject(lambda, { safeMode: false })).toThrow("a Python lambda");
  });
});

describe("objects", () => {
  it("are saved in Python's envelope, floats marked", () => {
    const saved = serializeKerasObject(new Part({ inner: new Part({ rate: 2 }) }));
    const inner = envelope({ name: "part", rate: new PyFloat(2) });
    expect(saved).toEqual(envelope({ name: "part_1", rate: new PyFloat(1), inner }));
    expect(Object.keys(saved as object)).toEqual(["module", "class_name", "config", "registered_name"]);
    expect(new Part({ inner: new Part() }).getConfig()["inner"]).toEqual(envelope({ name: "part_2" }));
  });

  it("come back", () => {
    const part = deserializeKerasObject(envelope({ rate: new PyFloat(3), sizes: [4, 5], inner: envelope({}) })) as Part;
    expect(part).toBeInstanceOf(Part);
    expect([part.rate, part.sizes, (part.inner as Part).rate]).toEqual([3, [4, 5], 1]);
  });

  it("are built and compiled as saved", () => {
    const part = new Part();
    part.shape = [null, 3];
    const saved = serializeKerasObject(part);
    expect(plain(saved)).toEqual(envelope({}, { build_config: { input_shape: [null, 3] } }));
    const copy = deserializeKerasObject(saved) as Part;
    expect([copy.built, copy.shape, copy.compiled]).toEqual([true, [null, 3], false]);
    expect((deserializeKerasObject(envelope({}, { build_config: null, compile_config: {} })) as Part).built).toBe(
      false,
    );
  });

  it("stay one object inside a sharing scope", () => {
    const shared = new Part({ name: "shared" });
    const saved = objectSharingScope(() =>
      plain(serializeKerasObject([shared, { again: shared }, new Part()])),
    ) as Config[];
    expect([saved[0]!["shared_object_id"], (saved[1]!["again"] as Config)["shared_object_id"]]).toEqual([1, 1]);
    expect(saved[2]).not.toHaveProperty("shared_object_id");
    const [first, second] = objectSharingScope(() => deserializeKerasObject(saved)) as [Part, { again: Part }];
    expect(second.again).toBe(first);
    const [one, other] = deserializeKerasObject(saved) as [Part, { again: Part }];
    expect(other.again).not.toBe(one);
  });

  it("of internal modules are those of the public one", () => {
    const saved = { ...envelope({}), module: "keras.src.parts.core.part" };
    expect(deserializeKerasObject(saved)).toBeInstanceOf(Part);
  });
});

describe("custom classes", () => {
  const saved = {
    ...envelope({ name: "custom_part" }),
    module: null,
    class_name: "CustomPart",
    registered_name: "CustomPart",
  };

  it("are saved without module, under their own name until registered", () => {
    expect(plain(serializeKerasObject(new CustomPart()))).toEqual(saved);
    registerKerasSerializable({ package: "mine" })(CustomPart);
    expect(serializeKerasObject(new CustomPart())).toMatchObject({ registered_name: "mine>CustomPart" });
    expect([getRegisteredName(CustomPart), getRegisteredName(Part)]).toEqual(["mine>CustomPart", "Part"]);
    class Configured extends configureCustom(Part, "Configured", {}) {}
    expect(serializeKerasObject(new Configured({}))).toMatchObject({ module: null, class_name: "Configured" });
  });

  it("are found when registered, in scope or given", () => {
    expect(() => deserializeKerasObject(saved)).toThrow("There is no class `CustomPart`. Register custom classes");
    expect(deserializeKerasObject(saved, { customObjects: { CustomPart } })).toBeInstanceOf(CustomPart);
    customObjectScope({ CustomPart }, () => expect(deserializeKerasObject(saved)).toBeInstanceOf(CustomPart));
    expect(() => deserializeKerasObject(saved)).toThrow("There is no class");
    getCustomObjects().set("CustomPart", CustomPart);
    expect(deserializeKerasObject(saved)).toBeInstanceOf(CustomPart);
    expect(getRegisteredObject("CustomPart")).toBe(CustomPart);
  });

  it("are known to what is inside as well", () => {
    const outer = envelope({ inner: saved });
    expect((deserializeKerasObject(outer, { customObjects: { CustomPart } }) as Part).inner).toBeInstanceOf(CustomPart);
  });

  it("need a getConfig", () => {
    class Plain {}
    expect(() => registerKerasSerializable()(Plain)).toThrow(
      "Cannot register class Plain: it needs a `getConfig` method.",
    );
    expect(() => serializeKerasObject(new Plain())).toThrow("Cannot save an instance of Plain");
  });

  it("can be registered by a decorator, under a name of their own", () => {
    const Decorated = registerKerasSerializable({ name: "Shown" })(class Hidden extends Part {});
    expect(getRegisteredObject("Custom>Shown")).toBe(Decorated);
  });
});

describe("functions", () => {
  const saved = (name: string) => ({
    module: "builtins",
    class_name: "function",
    config: name,
    registered_name: "function",
  });

  it("are saved by name", () => {
    expect(serializeKerasObject(double)).toEqual(saved("double_it"));
    expect(serializeKerasObject(halve)).toEqual(saved("halve"));
    expect(deserializeKerasObject(saved("double_it"))).toBe(double);
    registerKerasSerializable({ package: "mine" })(halve);
    expect(serializeKerasObject(halve)).toEqual(saved("mine>halve"));
    expect(deserializeKerasObject(saved("mine>halve"))).toBe(halve);
    expect(deserializeKerasObject(saved("halve"))).toBe(halve);
  });

  it("are never taken from anywhere else", () => {
    for (const name of ["eval", "constructor", "toString", "__proto__", "Function"]) {
      expect(() => deserializeKerasObject(saved(name))).toThrow(`There is no function \`${name}\``);
      expect(() => deserializeKerasObject({ ...envelope({}), class_name: name })).toThrow(TypeError);
      expect(() => deserializeKerasObject({ ...envelope({}), module: name })).toThrow("There is no class");
    }
    expect(() => deserializeKerasObject({ ...saved("x"), config: { a: 1 } })).toThrow(
      "A saved function must be a name.",
    );
  });

  it("cannot be saved without a name", () => {
    expect(() => serializeKerasObject([(x: number) => x])).toThrow("Cannot save a function without a name.");
  });
});

describe("damaged or hostile configs", () => {
  it("are named in the error", () => {
    expect(() => deserializeKerasObject({ ...envelope({}), config: [1] })).toThrow(
      "The config of `Part` must be an object. Received: [1].",
    );
    expect(() => deserializeKerasObject({ ...envelope({}), class_name: 3 })).toThrow(
      "`class_name` must be a string. Received: 3.",
    );
    expect(() => deserializeKerasObject(envelope({ wrong: 1 }))).toThrow(
      "`Part` could not be read from its config: `Part` has no option `wrong`.",
    );
    expect(() => deserializeKerasObject(new Date())).toThrow("Cannot read a config from an instance of Date.");
  });

  it("may not give something of Keras a registered name of its own", () => {
    expect(() => deserializeKerasObject({ ...envelope({}), registered_name: "evil>Part" })).toThrow(
      'the registered name "evil>Part"',
    );
    expect(deserializeKerasObject({ ...envelope({}), registered_name: "Part" })).toBeInstanceOf(Part);
  });

  it("do not reach prototypes", () => {
    const read = deserializeKerasObject(
      JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"x": 1}}'),
    ) as object;
    expect(Object.keys(read)).toEqual(["__proto__", "constructor"]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });
});

describe("safe mode", () => {
  it("is what the scope says, else the caller, else on", () => {
    const seen: (boolean | null)[] = [];
    class Spy extends Part {
      static override fromConfig<T extends Configurable>(this: new (...args: never[]) => T): T {
        seen.push(inSafeMode());
        return new this();
      }
    }
    const spy = { ...envelope({}), class_name: "Spy", registered_name: "Spy" };
    const load = (options: object = {}) => deserializeKerasObject(spy, { customObjects: { Spy }, ...options });
    load();
    load({ safeMode: false });
    withSafeMode(true, () => load({ safeMode: false }));
    enableUnsafeDeserialization();
    load();
    clearSession();
    expect([...seen, inSafeMode()]).toEqual([true, false, true, false, null]);
  });
});

describe("nested floats", () => {
  it("are marked wherever a float field is", () => {
    const table = {
      weights: dict(float(), { a: 1 }),
      maybe: optional(float(), 2),
      all: list(optional(float()), [3, null]),
    };
    class Weighted extends configure(Configurable, "Weighted", table) {
      constructor(options: Options<typeof table> = {}) {
        super(options);
      }
    }
    const config = { weights: { a: 1 }, maybe: 2, all: [3, null] };
    const marked = { weights: { a: new PyFloat(1) }, maybe: new PyFloat(2), all: [new PyFloat(3), null] };
    expect(new Weighted().getConfig()).toEqual(config);
    expect(serializeKerasObject(new Weighted())).toMatchObject({ config: marked });
    expect(Weighted.fromConfig(marked).getConfig()).toEqual(config);
  });
});
