import { describe, expect, it } from "vitest";
import { randomProgram } from "./random-program.js";
import { compare } from "./testing.js";

describe("random programs", () => {
  it.each(Array.from({ length: 12 }, (_, i) => i))("give the same compiled and replayed, part %i", (part) => {
    for (let seed = part * 25; seed < part * 25 + 25; seed++) {
      const { fn, specs, arrays } = randomProgram(seed);
      expect(compare(fn, specs, arrays).worst, `seed ${seed}`).toBe(0);
    }
  });
});
