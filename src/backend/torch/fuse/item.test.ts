import { describe, expect, it } from "vitest";
import { ProgramWriter } from "../../program-writer.testing.js";
import { type Item, Items } from "./item.js";

/** What the last instruction that `write` writes is to chains; `known` are values that are one number everywhere. */
function last(
  write: (w: ProgramWriter) => void,
  known: readonly (readonly [number, number])[] = [],
): Item | "view" | null {
  const w = new ProgramWriter();
  write(w);
  const program = w.finish();
  const items = new Items(program, new Map(known));
  return program.instructions.map((instruction) => items.of(instruction)).at(-1)!;
}
const whole = (root: number, size: number): object => ({ root, access: [{ size, stride: 1 }] });

describe("what instructions are to chains", () => {
  it("elementwise ops read their operands at the shape of the result", () => {
    const item = last((w) => void w.op("add", [w.input([3, 4]), w.input([4])], [3, 4])) as Item;
    expect(item).toMatchObject({ output: 2, size: 12, width: 0 });
    expect(item.operands).toEqual([
      whole(0, 12),
      {
        root: 1,
        access: [
          { size: 3, stride: 0 },
          { size: 4, stride: 1 },
        ],
      },
    ]);
  });

  it("views are looked through", () => {
    const view = (w: ProgramWriter): number =>
      w.op("broadcastTo", [w.op("reshape", [w.input([12])], [3, 4])], [2, 3, 4]);
    expect(last((w) => void view(w))).toBe("view");
    const item = last((w) => void w.op("exp", [view(w)], [2, 3, 4])) as Item;
    expect(item.operands).toEqual([
      {
        root: 0,
        access: [
          { size: 2, stride: 0 },
          { size: 12, stride: 1 },
        ],
      },
    ]);
  });

  it("known numbers stand for themselves, and squares are products", () => {
    const item = last((w) => void w.op("power", [w.input([4]), w.input([])], [4]), [[1, 2]]) as Item;
    expect(item.operands[1]).toEqual({ known: 2 });
    const written: unknown[] = [];
    item.emit!({ op: (...call) => written.push(call), bits: () => 0, float: () => 0 }, [7, 8]);
    expect(written).toEqual([["multiply", 7, 7]]);
    expect(last((w) => void w.op("power", [w.input([4]), w.input([])], [4]), [[1, 3]])).toBeNull();
  });

  it.each([
    { shape: [3, 4], axes: [0, 1], width: 1 },
    { shape: [3, 4], axes: [0], width: 4 },
    { shape: [2, 3, 4], axes: [0, 1], width: 4 },
    { shape: [1, 3, 4], axes: [1], width: 4 },
  ])("sums of $shape over the leading axes $axes end a chain", ({ shape, axes, width }) => {
    const item = last((w) => void w.op("sum", [w.input(shape)], [], { axes })) as Item;
    expect(item).toMatchObject({ emit: null, width });
  });

  it("others are left to others: sums over trailing axes or nothing, other dtypes, empty values, unknown ops", () => {
    for (const axes of [[1], []]) expect(last((w) => void w.op("sum", [w.input([3, 4])], [], { axes }))).toBeNull();
    expect(last((w) => void w.op("exp", [w.input([2], "float16")], [2], {}, "float16"))).toBeNull();
    expect(last((w) => void w.op("exp", [w.input([0])], [0]))).toBeNull();
    expect(last((w) => void w.op("dot", [w.input([2]), w.input([2])], []))).toBeNull();
  });
});
