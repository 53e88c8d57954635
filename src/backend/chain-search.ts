/** What a search for chains asks about the items of a program, which read and write values named by `Id`s. */
export interface ChainRules<Item, Id> {
  reads(item: Item): Iterable<Id>;
  writes(item: Item): readonly Id[];
  /** Over how many elements it walks, where it may be part of a chain; null for an item that is a unit of its own. */
  size(item: Item): number | null;
  /** Those of its reads that it may take from a chain which computes them: equally many elements in the same order. */
  follows(item: Item): Iterable<Id>;
  /** Whether items, of equal size and in any order, can be one chain. */
  fit(items: readonly Item[]): boolean;
}

class Group<Item> {
  readonly items: Item[] = [];
  readonly dependencies = new Set<Group<Item>>();
  mergedInto: Group<Item> | null = null;
  /** Position of its last item in the program. */
  last = 0;
  visited = 0;
  constructor(readonly size: number | null) {}
  get current(): Group<Item> {
    return this.mergedInto ? this.mergedInto.current : this;
  }
}

/**
 * The items of a program in units that run one after another: chains, which walk over elements once for all their items, and single items.
 * An item joins the chains that compute what it reads, where that makes nothing wait for itself. Units stand after those whose results they
 * read, and so do the items of each.
 */
export function chainsOf<Item, Id>(items: Iterable<Item>, rules: ChainRules<Item, Id>): Item[][] {
  return new Search(rules).run(items);
}

class Search<Item, Id> {
  readonly #producers = new Map<Id, Group<Item>>();
  readonly #groups: Group<Item>[] = [];
  #mark = 0;

  constructor(private readonly rules: ChainRules<Item, Id>) {}

  run(items: Iterable<Item>): Item[][] {
    let position = 0;
    for (const item of items) {
      const size = this.rules.size(item);
      const group = (size === null ? null : this.#groupFor(item, size)) ?? this.#open(size);
      group.items.push(item);
      group.last = position++;
      for (const producer of this.#producersFor(item)) if (producer !== group) group.dependencies.add(producer);
      for (const id of this.rules.writes(item)) this.#producers.set(id, group);
    }
    return this.#ordered().map((group) => this.#inOrder(group.items));
  }

  #open(size: number | null): Group<Item> {
    const group = new Group<Item>(size);
    this.#groups.push(group);
    return group;
  }
  *#producersFor(item: Item): Iterable<Group<Item>> {
    for (const id of this.rules.reads(item)) {
      const producer = this.#producers.get(id)?.current;
      if (producer) yield producer;
    }
  }

  /** The group that `item` can join: one that computes what it follows, after merging those that do. */
  #groupFor(item: Item, size: number): Group<Item> | null {
    let joined: Group<Item> | null = null;
    const tried = new Set<Group<Item>>();
    for (const id of this.rules.follows(item)) {
      const group = this.#producers.get(id)?.current;
      if (!group || group.size !== size || group === joined || tried.has(group)) continue;
      tried.add(group);
      if (joined === null) {
        if (this.#canTake(group, item)) joined = group;
      } else if (this.#canTake(joined, item, group)) this.#merge(joined, group);
    }
    return joined;
  }
  /** Whether the item, and the items of another group, can go into the group. */
  #canTake(group: Group<Item>, item: Item, other: Group<Item> | null = null): boolean {
    if (!this.rules.fit([...group.items, ...(other?.items ?? []), item])) return false;
    const isOutside = (one: Group<Item>): boolean => one !== group && one !== other;
    const outside = [...this.#producersFor(item)];
    if (other) for (const d of [...group.dependencies, ...other.dependencies]) outside.push(d.current);
    return !this.#waits(outside.filter(isOutside), group, other);
  }
  #merge(into: Group<Item>, from: Group<Item>): void {
    into.items.push(...from.items);
    into.last = Math.max(into.last, from.last);
    for (const d of from.dependencies) into.dependencies.add(d);
    from.mergedInto = into;
    into.dependencies.delete(from);
    into.dependencies.delete(into);
  }
  /** Whether one of `groups` must wait for one of the two. */
  #waits(groups: Group<Item>[], target: Group<Item>, other: Group<Item> | null): boolean {
    const mark = ++this.#mark;
    for (let group = groups.pop(); group; group = groups.pop()) {
      if (group === target || group === other) return true;
      if (group.visited === mark) continue;
      group.visited = mark;
      for (const { current } of group.dependencies) if (current.visited !== mark) groups.push(current);
    }
    return false;
  }

  /** The groups in order of their last items, each after those that it waits for. */
  #ordered(): Group<Item>[] {
    const live = this.#groups.filter((group) => group.mergedInto === null).sort((a, b) => a.last - b.last);
    return afterNeeds(live, function* ({ dependencies }) {
      for (const d of dependencies) yield d.current;
    });
  }
  #inOrder(items: readonly Item[]): Item[] {
    if (items.length === 1) return [...items];
    const made = new Map(items.flatMap((item) => this.rules.writes(item).map((id) => [id, item] as const)));
    const { rules } = this;
    return afterNeeds(items, function* (item) {
      for (const id of rules.reads(item)) {
        const producer = made.get(id);
        if (producer !== undefined) yield producer;
      }
    });
  }
}

/** All of `nodes`, each after those that it needs, as far as their own order allows. Without recursion: programs can be deep. */
function afterNeeds<Node>(nodes: readonly Node[], needs: (node: Node) => Iterator<Node>): Node[] {
  const ordered: Node[] = [];
  const entered = new Set<Node>();
  for (const first of nodes) {
    const open: { readonly node: Node; readonly rest: Iterator<Node> }[] = [];
    const enter = (node: Node): void => {
      if (entered.has(node)) return;
      entered.add(node);
      open.push({ node, rest: needs(node) });
    };
    enter(first);
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const next = top.rest.next();
      if (next.done) ordered.push(open.pop()!.node);
      else enter(next.value);
    }
  }
  return ordered;
}
