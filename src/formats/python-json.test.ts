import { describe, expect, it } from "vitest";
import { FormatError } from "./format-error.js";
import { parsePythonJson, PyFloat, stringifyPythonJson } from "./python-json.js";

describe("parsePythonJson", () => {
  it("reads standard JSON as JSON.parse does", () => {
    const text = ' {"a": [1, -2.5e3, "x\\u00e9\\n\\/\\"", true, false, null, {}, []], "b": {"a": "😀"}}\r\n\t';
    expect(parsePythonJson(text)).toEqual(JSON.parse(text));
  });

  it("reads Python's additional numbers", () => {
    expect(parsePythonJson("[NaN, Infinity, -Infinity]")).toEqual([NaN, Infinity, -Infinity]);
  });

  it("can tell 1.0 from 1", () => {
    const text = "[1.0, 1, 1e3, 0.5, -0.0]";
    expect(parsePythonJson(text)).toEqual([1, 1, 1000, 0.5, -0]);
    const value = parsePythonJson(text, { floats: "wrap" });
    expect(value).toEqual([new PyFloat(1), 1, new PyFloat(1000), 0.5, new PyFloat(-0)]);
    expect(stringifyPythonJson(value)).toBe("[1.0, 1, 1000.0, 0.5, -0.0]");
  });

  it("keeps large integers exact", () => {
    expect(parsePythonJson("[9007199254740991, 9007199254740993, -0]")).toEqual([2 ** 53 - 1, 2n ** 53n + 1n, 0]);
  });

  it("takes the last of equal keys, and keeps the order of all keys in a Map", () => {
    expect(parsePythonJson('{"a": 1, "a": 2}')).toEqual({ a: 2 });
    const map = parsePythonJson('{"b": 1, "1": {"0": 2}}', { objects: "map" });
    expect(map).toEqual(new Map<string, unknown>([["b", 1], ["1", new Map([["0", 2]])]])); // prettier-ignore
    expect(stringifyPythonJson(map)).toBe('{"b": 1, "1": {"0": 2}}');
  });

  it("makes __proto__ an ordinary property", () => {
    const value = parsePythonJson('{"__proto__": {"polluted": true}}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(value["polluted"]).toBeUndefined();
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("throws at deep nesting and endless numbers instead of failing in the engine", () => {
    expect(() => parsePythonJson("[".repeat(100_000))).toThrow("nested at most 1000 deep");
    expect(() => parsePythonJson('{"a":'.repeat(100_000))).toThrow(FormatError);
    expect(() => parsePythonJson("9".repeat(100_000))).toThrow("at most 4300 digits");
    expect(parsePythonJson("[".repeat(900) + "]".repeat(900))).toBeInstanceOf(Array);
  });

  it.each([
    ["", "ends too early (line 1, column 1)"],
    ['{"a": 1,\n "b": oops}', "expected a value (line 2, column 7)"],
    ["[1, 2", 'expected "," or "]"'],
    ["[1,]", "expected a value"],
    ['{"a" 1}', 'expected ":"'],
    ["{a: 1}", "expected a key"],
    ['"abc', "a string has no end"],
    ['"a\tb"', "a control character"],
    ['"\\x"', "unknown escape"],
    ['"\\u12g4"', "four hexadecimal digits"],
    ["1 2", "nothing may follow"],
    ["01", "nothing may follow"],
    ["+1", "expected a value"],
    ["nan", "expected a value"],
  ])("throws on %j", (text, message) => {
    expect(() => parsePythonJson(text, { source: "config.json" })).toThrow(`config.json: `);
    expect(() => parsePythonJson(text)).toThrow(message);
  });
});

describe("stringifyPythonJson", () => {
  it("writes separators, escapes and numbers as Python does", () => {
    const value = {
      name: "ü\u007f\u0001\n😀",
      rate: 0.001,
      ints: [1, 1e21, 2n ** 70n],
      one: new PyFloat(1),
      none: null,
      no: false,
    };
    expect(stringifyPythonJson(value)).toBe(
      '{"name": "\\u00fc\\u007f\\u0001\\n\\ud83d\\ude00", "rate": 0.001, "ints": [1, 1000000000000000000000, 1180591620717411303424], "one": 1.0, "none": null, "no": false}',
    );
    expect(stringifyPythonJson([NaN, Infinity, -Infinity, -0])).toBe("[NaN, Infinity, -Infinity, -0.0]");
  });

  it("indents, leaving empty containers on one line", () => {
    expect(stringifyPythonJson({ a: [1, {}], b: [] }, { indent: 2 })).toBe(
      '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}',
    );
  });

  it("names the place of what it cannot write", () => {
    expect(() => stringifyPythonJson({ a: [0, { b: undefined }] })).toThrow("a undefined at .a[1].b");
    expect(() => stringifyPythonJson([new Date()])).toThrow("a Date at [0]");
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => stringifyPythonJson(circle)).toThrow("nested too deep");
  });
});
