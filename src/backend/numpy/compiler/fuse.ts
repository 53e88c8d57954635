import { dtypeBytes } from "../../../core/dtype.js";
import { type Elementwise, isSplat, type Item, type Unit } from "./graph.js";
import { isWhole, type Root, type View } from "./view.js";

/** A chain stays this small so that its blocks fit the nearest cache and its code the builder's tables. */
const longestChain = 80;
const mostOperands = 32;

class Group {
  readonly items: Item[] = [];
  readonly dependencies = new Set<Group>();
  mergedInto: Group | null = null;
  /** Position of its last item in the program. */
  last = 0;
  visited = 0;
  constructor(readonly size: number | null) {}
  get current(): Group {
    return this.mergedInto ? this.mergedInto.current : this;
  }
}

/** Joins elementwise items that walk over equally many elements into chains, without making anything wait for itself. */
export class Fusion {
  private readonly producers = new Map<Root, Group>();
  private readonly groups: Group[] = [];
  private mark = 0;

  constructor(private readonly items: readonly Item[]) {}

  /** Units in an order in which everything is computed before it is read. */
  run(): Unit[] {
    this.items.forEach((item, i) => {
      if (item.kind === "step") {
        const group = this.open(null);
        this.append(group, item, i);
        for (const root of item.writes) this.producers.set(root, group);
      } else {
        const group = this.chainFor(item) ?? this.open(item.output.size);
        this.append(group, item, i);
        this.producers.set(item.output, group);
      }
    });
    return this.order();
  }

  private open(size: number | null): Group {
    const group = new Group(size);
    this.groups.push(group);
    return group;
  }
  private append(group: Group, item: Item, position: number): void {
    group.items.push(item);
    group.last = position;
    for (const root of rootsRead(item)) {
      const producer = this.producerOf(root);
      if (producer && producer !== group) group.dependencies.add(producer);
    }
  }
  private producerOf(root: Root): Group | null {
    return this.producers.get(root)?.current ?? null;
  }

  /** The chain that `item` can join: one that computes an operand of it, after merging those that do. */
  private chainFor(item: Elementwise): Group | null {
    let joined: Group | null = null;
    for (const group of this.candidates(item)) {
      if (joined === null) {
        if (this.canJoin(group, item)) joined = group;
      } else if (group !== joined && this.canMerge(joined, group)) {
        this.merge(joined, group);
        if (!this.canJoin(joined, item)) return null;
      }
    }
    return joined;
  }
  private candidates(item: Elementwise): Set<Group> {
    const found = new Set<Group>();
    for (const x of item.operands) {
      if (isSplat(x) || x.root.size !== item.output.size || !isSameElement(x)) continue;
      const group = this.producerOf(x.root);
      if (group && group.size === item.output.size) found.add(group);
    }
    return found;
  }

  private canJoin(group: Group, item: Elementwise): boolean {
    if (group.items.length >= longestChain) return false;
    const outside: Group[] = [];
    for (const x of item.operands) {
      if (isSplat(x)) continue;
      const producer = this.producerOf(x.root);
      // Inside a chain an operand is a register: it must be the same element.
      if (producer === group && !isSameElement(x)) return false;
      if (producer && producer !== group) outside.push(producer);
    }
    return !this.reaches(outside, group) && operandCount([...group.items, item]) <= mostOperands;
  }
  private canMerge(a: Group, b: Group): boolean {
    if (a.items.length + b.items.length > longestChain) return false;
    for (const [group, other] of [
      [a, b],
      [b, a],
    ] as const) {
      for (const item of group.items as readonly Elementwise[])
        for (const x of item.operands)
          if (!isSplat(x) && this.producerOf(x.root) === other && !isSameElement(x)) return false;
      const outside = [...group.dependencies].map((d) => d.current).filter((d) => d !== other && d !== group);
      if (this.reaches(outside, other)) return false;
    }
    return operandCount([...a.items, ...b.items]) <= mostOperands;
  }
  private merge(into: Group, from: Group): void {
    into.items.push(...from.items);
    into.last = Math.max(into.last, from.last);
    for (const d of from.dependencies) into.dependencies.add(d);
    from.mergedInto = into;
    into.dependencies.delete(from);
    into.dependencies.delete(into);
  }

  /** Whether some of `from` must wait for `target`. */
  private reaches(from: readonly Group[], target: Group): boolean {
    const mark = ++this.mark;
    const open = [...from];
    for (let group = open.pop(); group; group = open.pop()) {
      group = group.current;
      if (group === target) return true;
      if (group.visited === mark) continue;
      group.visited = mark;
      for (const d of group.dependencies) open.push(d.current);
    }
    return false;
  }

  private order(): Unit[] {
    const units: Unit[] = [];
    const done = new Set<Group>();
    const emit = (group: Group): void => {
      if (done.has(group)) return;
      done.add(group);
      for (const d of group.dependencies) if (d.current !== group) emit(d.current);
      units.push({ items: inOrder(group.items) });
    };
    const live = this.groups.filter((group) => group.mergedInto === null).sort((a, b) => a.last - b.last);
    for (const group of live) emit(group);
    return units;
  }
}

/** Whether a chain's register for the view's root holds what the view shows: narrow elements read as another dtype widen anew. */
const isSameElement = (x: View): boolean =>
  isWhole(x) && (x.dtype === x.root.dtype || dtypeBytes(x.dtype) === dtypeBytes("float32"));

function* rootsRead(item: Item): Iterable<Root> {
  if (item.kind === "step") for (const { root } of item.reads) yield root;
  else for (const x of item.operands) if (!isSplat(x)) yield x.root;
}
function operandCount(items: readonly Item[]): number {
  const inside = new Set(items.map((item) => (item as Elementwise).output));
  const roots = new Set<Root>();
  for (const item of items) for (const root of rootsRead(item)) if (!inside.has(root)) roots.add(root);
  return roots.size;
}

/** The items of a chain, each after those whose results it reads. */
function inOrder(items: readonly Item[]): Item[] {
  const byOutput = new Map<Root, Item>();
  for (const item of items) if (item.kind === "elementwise") byOutput.set(item.output, item);
  const ordered: Item[] = [];
  const done = new Set<Item>();
  const emit = (item: Item): void => {
    if (done.has(item)) return;
    done.add(item);
    for (const root of rootsRead(item)) {
      const producer = byOutput.get(root);
      if (producer) emit(producer);
    }
    ordered.push(item);
  };
  items.forEach(emit);
  return ordered;
}
