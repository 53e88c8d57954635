import { describe, expect, it } from "vitest";
import "../backend/index.js";
import "../ops/operators.js";
import { add } from "../ops/arithmetic.js";
import { convertToTensor, shape } from "../ops/conversions.js";
import { resultType } from "./convert.js";
import { type ForeignArray, isForeignArray } from "./foreign.js";
import { NDArray } from "./ndarray.js";
import { tensor } from "./tensor.js";
import { Variable } from "./variable.js";

/** As tensors of TensorFlow.js: reading leaves them alone. */
const plain = (
  data: ArrayBufferView | string[],
  dims: number[],
  dtype: string,
): ForeignArray & { data(): unknown } => ({
  shape: dims,
  dtype,
  dataSync: () => data,
  data: async () => data,
});
/** As arrays of jax-js: reading gives up a reference. */
class Counted {
  references = 1;
  readonly shape = [2];
  readonly dtype = "bool";
  get ref(): this {
    this.references++;
    return this;
  }
  dataSync(): Int32Array {
    this.references--;
    return Int32Array.of(0, 1);
  }
}

describe("arrays of other libraries", () => {
  it("are taken by ops, tensors and variables with their own type", async () => {
    const x = plain(Float32Array.of(1, 2, 3, 4), [2, 2], "float32");
    expect(resultType(x, 1)).toBe("float32");
    expect(shape(x)).toEqual([2, 2]);
    expect(await add(x, [[1, 1]]).array()).toEqual([
      [2, 3],
      [4, 5],
    ]);
    const ints = plain(Int32Array.of(5, 6), [2], "int32");
    expect(tensor(ints).dtype).toBe("int32");
    expect(tensor(ints, "float32").dtype).toBe("float32");
    expect(await convertToTensor([ints, ints]).array()).toEqual([
      [5, 6],
      [5, 6],
    ]);
    const variable = new Variable(ints);
    variable.assign(plain(Int32Array.of(7, 8), [2], "int32"));
    expect((await variable.numpy()).toArray()).toEqual([7, 8]);
  });
  it("keep their references, and booleans in other storage become booleans", () => {
    const x = new Counted();
    const read = NDArray.from(x);
    expect(x.references).toBe(1);
    expect(read.toArray()).toEqual([false, true]);
  });
  it("are refused when they hold text, and are not mistaken for other objects", () => {
    expect(() => tensor(plain(["a"], [1], "string"))).toThrow(/elements of type string/);
    expect(isForeignArray({ shape: [1], dtype: "float32", data: [1] })).toBe(false);
    expect(isForeignArray(tensor([1]))).toBe(false);
  });
});
