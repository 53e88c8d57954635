import { beforeEach, describe, expect, it } from "vitest";
import { clearSession } from "../core/settings.js";
import { DTypePolicy, DTypePolicyMap, deserialize, dtypePolicy, get, serialize, setDtypePolicy } from "./index.js";

beforeEach(clearSession);

describe("a dtype policy", () => {
  it("names what is computed and what is kept", () => {
    const pair = (name: string) => [get(name).computeDtype, get(name).variableDtype];
    expect(pair("float32")).toEqual(["float32", "float32"]);
    expect(pair("mixed_float16")).toEqual(["float16", "float32"]);
    expect(pair("mixed_bfloat16")).toEqual(["bfloat16", "float32"]);
    expect(pair("uint8")).toEqual(["uint8", "uint8"]);
    expect(pair("int8_from_mixed_bfloat16")).toEqual(["bfloat16", "float32"]);
    expect(() => get("mixed_float8")).toThrow('There is no dtype policy "mixed_float8"');
  });

  it("is saved as Python Keras saves it", () => {
    const saved = (name: string) => serialize(get(name));
    expect(saved("float32")).toEqual({
      module: "keras",
      class_name: "DTypePolicy",
      config: { name: "float32" },
      registered_name: null,
    });
    expect(saved("int8_from_float32")).toEqual({
      module: "keras.dtype_policies",
      class_name: "QuantizedDTypePolicy",
      config: { mode: "int8", source_name: "float32" },
      registered_name: null,
    });
    expect(saved("float8_from_mixed_float16")).toMatchObject({
      class_name: "QuantizedFloat8DTypePolicy",
      config: { mode: "float8", source_name: "mixed_float16", amax_history_length: 1024 },
    });
    for (const name of [
      "gptq/4/8_from_float32",
      "awq/4/8_from_float32",
      "int4/-1_from_float32",
      "ternary_from_float32",
    ])
      expect(deserialize(saved(name) as never).name).toBe(name);
  });

  it("refuses quantized names it cannot read", () => {
    expect(() => get("int8")).toThrow('must be named "<mode>_from_<policy>"');
    expect(() => get("int8_from_mixed_float16")).toThrow("int8 quantization does not work with float16");
    expect(() => get("gptq/5/8_from_float32")).toThrow("must be one of 2, 3, 4, 8");
    expect(() => get("awq/4_from_float32")).toThrow('must have the form "awq/<bits>/<group size>"');
    expect(() => get("int4/0_from_float32")).toThrow("must be -1 or positive");
  });

  it("is global for layers that are given none", () => {
    expect(dtypePolicy().name).toBe("float32");
    setDtypePolicy("mixed_bfloat16");
    expect(get(null).name).toBe("mixed_bfloat16");
    clearSession();
    expect(get(null).name).toBe("float32");
  });
});

describe("a map of policies", () => {
  it("looks up whole paths, then patterns, then its default", () => {
    const map = new DTypePolicyMap({ defaultPolicy: "float32", policyMap: { "encoder/dense": "bfloat16" } });
    map.set("encoder/.*", new DTypePolicy("float16"));
    const at = (path: string) => map.at(path).name;
    expect([at("encoder/dense"), at("encoder/other"), at("decoder/dense"), map.name]).toEqual([
      "bfloat16",
      "float16",
      "float32",
      "map_float32",
    ]);
    map.set("encoder/oth.*", "float32");
    expect(() => at("encoder/other")).toThrow("matches several keys");
    expect(() => map.set("encoder/.*", "float32")).toThrow("already has a policy");
  });

  it("is saved with its policies", () => {
    const map = new DTypePolicyMap({ defaultPolicy: "mixed_bfloat16", policyMap: { a: "float32" } });
    expect(serialize(map)).toEqual({
      module: "keras.dtype_policies",
      class_name: "DTypePolicyMap",
      config: { default_policy: "mixed_bfloat16", policy_map: { a: serialize(get("float32")) } },
      registered_name: null,
    });
    expect((deserialize(serialize(map) as never) as DTypePolicyMap).at("a").name).toBe("float32");
  });
});
