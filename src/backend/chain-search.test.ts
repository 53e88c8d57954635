import { describe, expect, it } from "vitest";
import { type ChainRules, chainsOf } from "./chain-search.js";

/** "c = a + b": what it writes and reads; a trailing "!" marks what is read in another order. */
interface Item {
  readonly text: string;
  readonly writes: string;
  readonly reads: readonly string[];
  readonly follows: readonly string[];
  readonly size: number | null;
}
function item(text: string, size: number | null = 8): Item {
  const [writes, right] = text.split(" = ") as [string, string];
  const operands = right.split(" ").filter((word) => /^[a-z]/.test(word));
  return {
    text,
    writes,
    reads: operands.map((name) => name.replace("!", "")),
    follows: operands.filter((name) => !name.endsWith("!")),
    size,
  };
}
const step = (text: string): Item => item(text, null);

/** Chains of at most `longest` items, by what they write, in their order. */
function chains(items: readonly Item[], longest = Infinity): string[] {
  const rules: ChainRules<Item, string> = {
    reads: ({ reads }) => reads,
    writes: ({ writes }) => [writes],
    size: ({ size }) => size,
    follows: ({ follows }) => follows,
    fit(all) {
      const inside = new Set(all.map(({ writes }) => writes));
      const isElement = ({ reads, follows }: Item): boolean =>
        reads.every((name) => !inside.has(name) || follows.includes(name));
      return all.length <= longest && all.every(isElement);
    },
  };
  return chainsOf(items, rules).map((unit) => unit.map(({ writes }) => writes).join(""));
}

describe("the search for chains", () => {
  it("joins what reads with what computes it", () => {
    expect(chains([item("b = a"), item("c = b"), item("d = c + b")])).toEqual(["bcd"]);
  });

  it("leaves apart what has nothing in common, or walks over another number of elements", () => {
    expect(chains([item("b = a"), item("d = a")])).toEqual(["b", "d"]);
    expect(chains([item("b = a", 8), item("c = b", 4)])).toEqual(["b", "c"]);
    expect(chains([item("b = a"), item("c = b!")])).toEqual(["b", "c"]);
  });

  it("merges chains where an item reads both", () => {
    expect(chains([item("b = a"), item("d = c"), item("e = b + d")])).toEqual(["bde"]);
  });

  it("lets nothing wait for itself", () => {
    // "c" is made from the chain of "b" outside of chains, so that what reads it cannot be in that chain too.
    expect(chains([item("b = a"), step("c = b"), item("d = b + c")])).toEqual(["b", "c", "d"]);
    expect(chains([item("b = a"), step("c = b"), item("d = c"), item("e = b + d")])).toEqual(["b", "c", "de"]);
  });

  it("merges no chains of which one waits for the other by way of a third", () => {
    const program = [item("b = a"), step("s = b"), step("t = s"), item("d = x + t!"), item("e = d + b")];
    const units = chains(program);
    expect(units.indexOf("t")).toBeGreaterThan(units.indexOf("s"));
    expect(units).toEqual(["b", "s", "t", "de"]);
  });

  it("keeps to what can be one chain, and does not merge where the item itself would not fit", () => {
    expect(chains([item("b = a"), item("c = b"), item("d = c")], 2)).toEqual(["bc", "d"]);
    expect(chains([item("b = a"), item("d = c"), item("e = b + d")], 2)).toEqual(["d", "be"]);
    expect(chains([item("b = a"), item("c = b"), item("d = b! + c")])).toEqual(["bc", "d"]);
  });

  it("puts units and their items after what they read", () => {
    // The chain of "b" takes in "e" late, which reads "d": it must come after that.
    expect(chains([item("b = a"), step("d = x"), item("e = b + d")])).toEqual(["d", "be"]);
    expect(chains([item("p = x"), item("b = a"), item("q = b"), item("e = q + p")])).toEqual(["bqpe"]);
  });

  it("orders programs of any depth", () => {
    const deep = Array.from({ length: 20_000 }, (_, i) => step(`v${i + 1} = v${i}`));
    expect(chains(deep)).toHaveLength(20_000);
  });

  it("finds valid schedules of random programs", () => {
    let state = 7;
    const random = (n: number): number => (state = (state * 48271) % 2147483647) % n;
    for (let round = 0; round < 50; round++) {
      const program = Array.from({ length: 60 }, (_, i) => {
        const operands = [0, 1].map(() => `v${random(i + 1)}${random(4) === 0 ? "!" : ""}`);
        return item(`v${i + 1} = ${operands.join(" + ")}`, random(4) === 0 ? null : 8);
      });
      const known = new Set(["v0"]);
      const rules: ChainRules<Item, string> = {
        reads: ({ reads }) => reads,
        writes: ({ writes }) => [writes],
        size: ({ size }) => size,
        follows: ({ follows }) => follows,
        fit: (all) => all.length <= 10,
      };
      const units = chainsOf(program, rules);
      expect(units.flat()).toHaveLength(program.length);
      for (const unit of units)
        for (const { reads, writes } of unit) {
          for (const name of reads) expect(known, `${writes} reads ${name}`).toContain(name);
          known.add(writes);
        }
    }
  });
});
