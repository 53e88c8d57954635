import { beforeEach, describe, expect, it } from "vitest";
import type { TensorSpec } from "../core/dtype.js";
import { bindEngine } from "../core/engine.js";
import { NDArray } from "../core/ndarray.js";
import { builtIn } from "./built-in.js";
import { LibraryValue } from "./library-value.js";
import { builtInRunner } from "./run-built-in.js";

bindEngine(builtIn);

/** What a library of the test's makes of arrays. */
interface Foreign {
  readonly numbers: readonly number[];
}
let log: string[] = [];
beforeEach(() => (log = []));

class Value extends LibraryValue<Foreign> {
  static ofForeign(numbers: readonly number[]): Value {
    return new Value({ shape: [numbers.length], dtype: "float32" } satisfies TensorSpec, { numbers }, null);
  }
  static ofArray(array: NDArray): Value {
    return new Value(array, null, array);
  }
  get foreign(): readonly number[] {
    return this.own.numbers;
  }
  protected override upload(array: NDArray): Foreign {
    log.push("upload");
    return { numbers: [...array.numbers()] };
  }
  protected override download({ numbers }: Foreign): NDArray {
    log.push("download");
    return NDArray.from([...numbers], "float32");
  }
  protected override free(): void {
    log.push("free");
  }
}

describe("a value of an engine on a library", () => {
  it("moves to the other side once, when it is asked for there", () => {
    const x = Value.ofForeign([1, 2]);
    expect(x.size).toBe(2);
    expect(x.foreign).toEqual([1, 2]);
    expect(log).toEqual([]);
    expect(x.array).toBe(x.array);
    expect(x.array.toArray()).toEqual([1, 2]);
    const y = Value.ofArray(NDArray.from([3], "float32"));
    expect([...y.foreign, ...y.foreign]).toEqual([3, 3]);
    expect(log).toEqual(["download", "upload"]);
  });

  it("is copied to the host, whichever side it lies on", () => {
    const array = NDArray.from([3], "float32");
    const host = Value.ofArray(array).toHost();
    expect(host).not.toBe(array);
    expect(host.toArray()).toEqual([3]);
    expect(Value.ofForeign([4]).toHost().toArray()).toEqual([4]);
  });

  it("is freed with its last reference, and refused afterwards with its shape and dtype", () => {
    const x = Value.ofForeign([1, 2]).retain();
    x.release();
    expect(log).toEqual([]);
    expect(x.foreign).toEqual([1, 2]);
    x.release();
    expect(log).toEqual(["free"]);
    for (const use of [() => x.foreign, () => x.array, () => x.toHost(), () => x.retain(), () => x.release()])
      expect(use).toThrow("This value (shape [2], float32) was freed already.");
  });

  it("gives its memory away where it has no other owner and lies nowhere else", () => {
    const shared = Value.ofForeign([1]).retain();
    const both = Value.ofForeign([1]);
    void both.array;
    expect([shared, both, Value.ofArray(NDArray.from([1]))].map((x) => x.spend())).toEqual([false, false, false]);
    const x = Value.ofForeign([1]);
    expect(x.spend()).toBe(true);
    for (const use of [() => x.foreign, () => x.array, () => x.toHost()])
      expect(use).toThrow("was overwritten by a run");
    expect(shared.refill({ numbers: [5] })).toBe(false);
    expect(x.refill({ numbers: [5] })).toBe(true);
    expect(x.refill({ numbers: [6] })).toBe(false);
    x.release();
    expect(x.foreign).toEqual([5]);
    expect(log).not.toContain("free");
    x.release();
    expect(log).toContain("free");
  });

  it("meets others on the built-in engine", () => {
    const run = builtInRunner(builtIn, Value.ofArray);
    const [sum] = run("add", [Value.ofForeign([1, 2]), Value.ofArray(NDArray.from([3, 4], "float32"))], {}, [
      { shape: [2], dtype: "float32" },
    ]);
    expect(sum!.foreign).toEqual([4, 6]);
  });
});
