import type { Instruction, ValueId } from "../../../core/program.js";
import { type Access, commonShape, isWhole } from "./access.js";
import { isKnown, type Item } from "./item.js";

/** Chains stay this small so that the buffers of a block fit the nearest cache. */
const mostItems = 64;
const mostOperands = 24;

/** What runs at once: the items of a chain, or one other instruction. */
export type Unit = { readonly items: readonly Item[] } | { readonly other: Instruction };

class Group {
  readonly items: Item[] = [];
  readonly dependencies = new Set<Group>();
  mergedInto: Group | null = null;
  other: Instruction | null = null;
  /** Position of its last instruction. */
  last = 0;
  visited = 0;
  constructor(readonly size: number) {}
  get current(): Group {
    return this.mergedInto ? this.mergedInto.current : this;
  }
}

/** Joins items that walk over equally many elements, where one reads the result of another, without making anything wait for itself. */
export class Grouping {
  readonly #producers = new Map<ValueId, Group>();
  readonly #groups: Group[] = [];
  #mark = 0;

  /** Takes the next instruction of the Program; `item` is what it is to chains. */
  add(instruction: Instruction, item: Item | null): void {
    const position = this.#groups.length;
    if (!item) {
      const group = this.#open(0);
      group.other = instruction;
      group.last = position;
      for (const id of instruction.inputs) this.#depend(group, id);
      for (const id of instruction.outputs) this.#producers.set(id, group);
      return;
    }
    const group = this.#groupFor(item) ?? this.#open(item.size);
    group.items.push(item);
    group.last = position;
    for (const id of rootsOf(item)) this.#depend(group, id);
    this.#producers.set(item.output, group);
  }

  /** All of it in an order in which everything is computed before it is read. */
  units(): Unit[] {
    const units: Unit[] = [];
    const done = new Set<Group>();
    const live = this.#groups.filter((group) => group.mergedInto === null).sort((a, b) => a.last - b.last);
    for (const first of live) {
      const open: { readonly group: Group; readonly rest: Iterator<Group> }[] = [];
      const enter = (group: Group): void => {
        if (done.has(group)) return;
        done.add(group);
        open.push({ group, rest: group.dependencies.values() });
      };
      enter(first);
      for (let top = open.at(-1); top; top = open.at(-1)) {
        const { value, done: end } = top.rest.next();
        if (!end) {
          enter(value.current);
          continue;
        }
        open.pop();
        const { other, items } = top.group;
        units.push(other ? { other } : { items: inOrder(items) });
      }
    }
    return units;
  }

  #open(size: number): Group {
    const group = new Group(size);
    this.#groups.push(group);
    return group;
  }
  #depend(group: Group, id: ValueId): void {
    const producer = this.#producers.get(id)?.current;
    if (producer && producer !== group) group.dependencies.add(producer);
  }

  /** The group that `item` can join: one that computes an operand of it, after merging those that do. */
  #groupFor(item: Item): Group | null {
    let joined: Group | null = null;
    for (const operand of item.operands) {
      if (isKnown(operand) || !isWhole(operand.access)) continue;
      const group = this.#producers.get(operand.root)?.current;
      if (!group || group.other || group.size !== item.size || group === joined) continue;
      if (joined === null) {
        if (this.#takes(group, [item])) joined = group;
      } else if (this.#takes(joined, [...group.items, item], group)) this.#merge(joined, group);
    }
    return joined;
  }

  /** Whether items, those of `from` among them, can go into the group. */
  #takes(group: Group, items: readonly Item[], from: Group | null = null): boolean {
    const all = [...group.items, ...items];
    if (all.length > mostItems || !fit(all)) return false;
    const outside = new Set<Group>();
    for (const item of all)
      for (const id of rootsOf(item)) {
        const producer = this.#producers.get(id)?.current;
        if (producer && producer !== group && producer !== from) outside.add(producer);
      }
    return !this.#reaches(outside, group, from);
  }
  #merge(into: Group, from: Group): void {
    into.items.push(...from.items);
    into.last = Math.max(into.last, from.last);
    for (const d of from.dependencies) into.dependencies.add(d);
    from.mergedInto = into;
    into.dependencies.delete(from);
    into.dependencies.delete(into);
  }
  /** Whether some of `from` must wait for one of the two. */
  #reaches(from: Iterable<Group>, target: Group, other: Group | null): boolean {
    const mark = ++this.#mark;
    const open = [...from];
    for (let group = open.pop()?.current; group; group = open.pop()?.current) {
      if (group === target || group === other) return true;
      if (group.visited === mark) continue;
      group.visited = mark;
      open.push(...group.dependencies);
    }
    return false;
  }
}

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
function fit(items: readonly Item[]): boolean {
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

/** The items of a chain, each after those whose results it reads. */
function inOrder(items: readonly Item[]): Item[] {
  const made = new Map(items.map((item) => [item.output, item]));
  const ordered: Item[] = [];
  const done = new Set<Item>();
  const emit = (item: Item): void => {
    if (done.has(item)) return;
    done.add(item);
    for (const id of rootsOf(item)) {
      const producer = made.get(id);
      if (producer) emit(producer);
    }
    ordered.push(item);
  };
  items.forEach(emit);
  return ordered;
}
