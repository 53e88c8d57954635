import { describe, expect, it } from "vitest";
import { randomProgram } from "./random-program.js";
import { compare, makeWasm } from "./testing.js";

describe("random programs", () => {
  it.each(Array.from({ length: 12 }, (_, i) => i))("give the same compiled and replayed, part %i", (part) => {
    for (let seed = part * 25; seed < part * 25 + 25; seed++) {
      const { fn, specs, arrays } = randomProgram(seed);
      expect(compare(fn, specs, arrays).worst, `seed ${seed}`).toBe(0);
    }
  });

  it("run on memory that is not shared, whose views are lost when it grows, and without fused multiply-add", () => {
    const wasm = makeWasm({ shared: false, fma: false });
    expect(wasm.instance.shared).toBe(false);
    for (let seed = 1000; seed < 1040; seed++) {
      const { fn, specs, arrays } = randomProgram(seed);
      expect(compare(fn, specs, arrays, wasm).worst, `seed ${seed}`).toBe(0);
    }
  });
});
