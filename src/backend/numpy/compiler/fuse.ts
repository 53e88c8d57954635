import { dtypeBytes } from "../../../core/dtype.js";
import { type ChainRules, chainsOf } from "../../chain-search.js";
import { isSplat, type Item, type Unit } from "./graph.js";
import { isWhole, type Root, type View } from "./view.js";

/** A chain stays this small so that its blocks fit the nearest cache and its code the builder's tables. */
const longestChain = 80;
const mostOperands = 32;

/** Joins elementwise items into chains; gives units in an order in which everything is computed before it is read. */
export const fuse = (items: readonly Item[]): Unit[] =>
  chainsOf(items.map(partOf), rules).map((unit) => ({ items: unit.map(({ item }) => item) }));

/** An item and how it reads. */
interface Part {
  readonly item: Item;
  readonly reads: readonly Root[];
  /** Those of its reads that can be registers of a chain. */
  readonly elements: readonly Root[];
  /** Those that cannot. */
  readonly others: readonly Root[];
}

function partOf(item: Item): Part {
  if (item.kind === "step") return { item, reads: item.reads.map(({ root }) => root), elements: [], others: [] };
  const views = item.operands.filter((x): x is View => !isSplat(x));
  return {
    item,
    reads: views.map(({ root }) => root),
    elements: views.filter(isSameElement).map(({ root }) => root),
    others: views.filter((x) => !isSameElement(x)).map(({ root }) => root),
  };
}

const rules: ChainRules<Part, Root> = {
  reads: ({ reads }) => reads,
  writes: ({ item }) => (item.kind === "step" ? item.writes : [item.output]),
  size: ({ item }) => (item.kind === "step" ? null : item.output.size),
  follows: ({ elements }) => elements,
  fit(parts) {
    if (parts.length > longestChain) return false;
    const inside = new Set(parts.map(({ item }) => item.kind === "elementwise" && item.output));
    const outside = new Set<Root>();
    for (const { reads, others } of parts) {
      for (const root of others) if (inside.has(root)) return false;
      for (const root of reads) if (!inside.has(root)) outside.add(root);
    }
    return outside.size <= mostOperands;
  },
};

/** Whether a chain's register for the view's root holds what the view shows: narrow elements read as another dtype widen anew. */
const isSameElement = (x: View): boolean =>
  isWhole(x) && (x.dtype === x.root.dtype || dtypeBytes(x.dtype) === dtypeBytes("float32"));
