import { describe, expect, it } from "vitest";
import * as tree from "./index.js";

class Tensor {
  constructor(readonly value: number) {}
}
const callable: object = Object.setPrototypeOf(() => 0, Tensor.prototype) as object;

describe("isNested", () => {
  it.each([[[]], [{}], [new Map()], [[1]], [Object.create(null)]])("takes %o for a container", (value) =>
    expect(tree.isNested(value)).toBe(true),
  );
  it.each([
    [null],
    [1],
    ["ab"],
    [new Float32Array(2)],
    [new Tensor(1)],
    [callable],
    [() => 0],
    [new Date()],
    [undefined],
  ])("takes %o for a leaf", (value) => expect(tree.isNested(value)).toBe(false));
});

describe("flatten", () => {
  it("goes depth first, through plain objects by sorted key and through Maps in their order", () => {
    const map = new Map([
      ["z", 5],
      ["y", 6],
    ]);
    expect(tree.flatten([{ b: [1, 2], a: 3, B: 4 }, map, [], null])).toEqual([4, 3, 1, 2, 5, 6, null]);
    expect(tree.flatten({ "10": "a", "9": "b" })).toEqual(["a", "b"]);
    expect(tree.flatten({ "\u{1f600}": 2, "\uffff": 1 })).toEqual([1, 2]);
    expect(tree.flatten(7)).toEqual([7]);
  });

  it("tells where each leaf is", () => {
    expect(tree.flattenWithPath({ b: [1, null], a: { c: [5] } })).toEqual([
      [["a", "c", 0], 5],
      [["b", 0], 1],
      [["b", 1], null],
    ]);
    expect(tree.flattenWithPath(3)).toEqual([[[], 3]]);
    expect(tree.flattenWithPath([])).toEqual([]);
  });
});

describe("packSequenceAs", () => {
  it("undoes flatten", () => {
    const structure = { key3: { c: ["alpha", "beta"], a: "gamma" }, key1: new Map([["e", "val1"]]) };
    const packed = tree.packSequenceAs(structure, [1, 2, 3, 4]);
    expect(packed).toEqual({ key1: new Map([["e", 1]]), key3: { a: 2, c: [3, 4] } });
    expect(Object.keys(packed)).toEqual(["key3", "key1"]);
    expect(tree.packSequenceAs(0, [9])).toBe(9);
  });

  it("needs exactly as many leaves", () => {
    expect(() => tree.packSequenceAs([1, 2], [1])).toThrow("The structure has 2 leaves. Received: 1.");
    expect(() => tree.packSequenceAs(1, [1, 2])).toThrow("The structure has 1 leaves. Received: 2.");
  });

  it("keeps keys that mean something to JavaScript", () => {
    const structure = JSON.parse('{"__proto__": 1, "constructor": 2}') as object;
    const packed = tree.packSequenceAs(structure, [8, 9]) as object;
    expect(Object.entries(packed)).toEqual([
      ["__proto__", 8],
      ["constructor", 9],
    ]);
    expect(Object.getPrototypeOf(packed)).toBe(Object.prototype);
  });
});

describe("mapStructure", () => {
  const pair = (a: unknown, b: unknown) => `${String(a)}${String(b)}`;

  it("keeps the form of the first structure", () => {
    expect(tree.mapStructure((x: number) => x * 2, { b: [1], a: 2 })).toEqual({ b: [2], a: 4 });
    const ordered = new Map([
      ["b", 1],
      ["a", 2],
    ]);
    expect(tree.mapStructure(pair, ordered, { a: 3, b: 4 })).toEqual(
      new Map([
        ["b", "14"],
        ["a", "23"],
      ]),
    );
    expect(tree.mapStructure(pair, { a: 3, b: 4 }, ordered)).toEqual({ a: "32", b: "41" });
  });

  it("passes null unless it is no leaf", () => {
    expect(tree.mapStructure((x: number | null) => x === null, [1, null])).toEqual([false, true]);
    const options = { noneIsLeaf: false };
    expect(tree.mapStructures((x: number) => x + 1, [[1, null]], options)).toEqual([2, null]);
    expect(() =>
      tree.mapStructures(
        pair,
        [
          [1, null],
          [null, 2],
        ],
        options,
      ),
    ).toThrow("only some have null there");
  });

  it.each([
    [[1, 2], [1], "the top: one has an array of 2, another an array of 1"],
    [[[1], 2], [3, 2], "`[0]`: one has an array of 1, another a leaf"],
    [[1, 2], [[3], 2], "`[0]`: one has a leaf, another an array of 1"],
    [{ a: { b: 1 } }, { a: { c: 1 } }, "`a`: one has a dict with the keys b, another a dict with the keys c"],
    [[1], { "0": 1 }, "the top: one has an array of 1, another a dict with the keys 0"],
  ])("refuses %o with %o", (a, b, message) => {
    expect(() => tree.mapStructure(pair, a, b)).toThrow(message);
    expect(() => tree.assertSameStructure(a, b)).toThrow(message);
  });
});

describe("mapStructureUpTo", () => {
  it("stops at the leaves of the shallow structure", () => {
    expect(tree.mapStructureUpTo([null, null], (x: number[]) => x.length, [[1, 1], [2]])).toEqual([2, 1]);
    expect(
      tree.mapStructureUpTo([null, [null, null]], String, [
        [1, 1],
        [2, 2],
      ]),
    ).toEqual(["1,1", ["2", "2"]]);
    const sum = (a: number, b: number) => a + b;
    expect(tree.mapStructureUpTo({ x: 0 }, sum, { x: 1 }, { x: 2 })).toEqual({ x: 3 });
  });

  it("refuses shallower or wider structures", () => {
    expect(() => tree.mapStructureUpTo([0, [0]], String, [[1, 2], 3])).toThrow(
      "`[1]`: one has an array of 1, another a leaf",
    );
    expect(() => tree.mapStructureUpTo([0, 0], String, [1, 2, 3])).toThrow("an array of 2, another an array of 3");
    expect(() => tree.mapStructureUpTo({ a: 0 }, String, { a: 1, b: 2 })).toThrow("the keys a, another");
  });
});

describe("traverse", () => {
  const structure = [[1, 2], [3], { a: 4 }];
  const visited = (topDown: boolean) => {
    const seen: unknown[] = [];
    expect(tree.traverse((part) => void seen.push(part), structure, { topDown })).toEqual(structure);
    return seen;
  };

  it("sees containers before or after their parts", () => {
    expect(visited(true)).toEqual([structure, [1, 2], 1, 2, [3], 3, { a: 4 }, 4]);
    expect(visited(false)).toEqual([1, 2, [1, 2], 3, [3], 4, { a: 4 }, structure]);
  });

  it("replaces parts, by null as well", () => {
    const replace = (part: unknown) =>
      typeof part !== "number" ? undefined : part === 1 ? tree.MAP_TO_NONE : part * 2;
    expect(tree.traverse(replace, [1, [2, { b: 3, a: 1 }]])).toEqual([null, [4, { b: 6, a: null }]]);
    expect(tree.traverse((part) => (Array.isArray(part) ? "list" : null), { a: [1, [2]] })).toEqual({ a: "list" });
  });
});

describe("shapes, paths and tuples", () => {
  it("maps whole shapes", () => {
    const show = (shape: readonly (number | null)[]) => shape.join("x");
    expect(tree.mapShapeStructure(show, { a: [1, null], b: [[2, 3], [4]] })).toEqual({ a: "1x", b: ["2x3", "4"] });
  });

  it("compares paths without regard to containers", () => {
    tree.assertSamePaths(
      [1, { a: 2 }],
      new Map<unknown, unknown>([
        [0, 1],
        [1, new Map([["a", 5]])],
      ]),
    );
    expect(() => tree.assertSamePaths([1, 2], { "0": 1, "1": 2 })).toThrow(
      "Only in the first: `[0]`, `[1]`. Only in the second: `0`, `1`.",
    );
    tree.assertSamePaths([1, []], [1]);
  });

  it("has no tuples", () => {
    const structure = [[1], { a: [2] }];
    expect(tree.listsToTuples(structure)).toBe(structure);
  });
});
