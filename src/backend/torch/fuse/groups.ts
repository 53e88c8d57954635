import type { Instruction, ValueId } from "../../../core/program.js";
import { type ChainRules, chainsOf } from "../../chain-search.js";
import { type Access, commonShape, isWhole } from "./access.js";
import { isKnown, type Item, type Items } from "./item.js";

/** Chains stay this small so that the buffers of a block fit the nearest cache. */
const mostItems = 64;
const mostOperands = 24;

/** What runs at once: the items of a chain, or one other instruction. */
export type Unit = { readonly items: readonly Item[] } | { readonly other: Instruction };

/** Joins instructions, as `items` sees them, into chains; gives units in an order in which everything is computed before it is read. */
export function unitsOf(instructions: readonly Instruction[], items: Items): Unit[] {
  const parts = instructions.map((instruction) => {
    const item = items.of(instruction);
    return item === null || item === "view" ? instruction : item;
  });
  return chainsOf(parts, rules).map((unit) => (isItem(unit[0]!) ? { items: unit as Item[] } : { other: unit[0]! }));
}

const isItem = (one: Item | Instruction): one is Item => "instruction" in one;

const rules: ChainRules<Item | Instruction, ValueId> = {
  reads: (one) => (isItem(one) ? rootsOf(one) : one.inputs),
  writes: (one) => (isItem(one) ? [one.output] : one.outputs),
  size: (one) => (isItem(one) ? one.size : null),
  *follows(item) {
    for (const operand of (item as Item).operands) if (!isKnown(operand) && isWhole(operand.access)) yield operand.root;
  },
  fit: (items) => canBeChain(items as readonly Item[]),
};

function* rootsOf(item: Item): Iterable<ValueId> {
  for (const operand of item.operands) if (!isKnown(operand)) yield operand.root;
}

/** How items read what lies outside of them, and what widths their sums leave. */
export function readsOf(items: readonly Item[]): {
  readonly accesses: readonly Access[];
  readonly widths: readonly number[];
} {
  const inside = new Set(items.map(({ output }) => output));
  const accesses = new Map<string, Access>();
  const widths = new Set<number>();
  for (const item of items) {
    if (!item.emit && item.width > 1) widths.add(item.width);
    for (const operand of item.operands)
      if (!isKnown(operand) && !inside.has(operand.root))
        accesses.set(JSON.stringify([operand.root, operand.access]), operand.access);
  }
  return { accesses: [...accesses.values()], widths: [...widths] };
}

/** Whether items can be one chain: they read each other element by element, and all else at one common shape. */
function canBeChain(items: readonly Item[]): boolean {
  if (items.length > mostItems) return false;
  const made = new Map(items.map((item) => [item.output, item]));
  for (const item of items)
    for (const operand of item.operands) {
      const producer = isKnown(operand) ? undefined : made.get(operand.root);
      // A sum is there only when the chain has ended.
      if (producer && (!producer.emit || !isWhole((operand as { access: Access }).access))) return false;
    }
  const { accesses, widths } = readsOf(items);
  if (accesses.length > mostOperands || widths.length > 1) return false;
  const common = commonShape(items[0]!.size, accesses, widths);
  return common !== null && (widths.length === 0 || common.shape.at(-1) === widths[0]);
}
