import { dtypeBytes } from "../../../core/dtype.js";
import { type Elementwise, isSplat, type Unit } from "./graph.js";
import { isWhole, type Root } from "./view.js";

/** Where the temporaries of a program lie in its arena. */
export interface MemoryPlan {
  /** Byte offset by root id; -1 for roots that are not in the arena. */
  readonly offsets: Float64Array;
  readonly bytes: number;
  /** Results of chains that need memory of their own, because something outside the chain reads them. */
  readonly stored: ReadonlySet<Root>;
}

const align = 64;
const bytesOf = ({ size, dtype }: Root): number =>
  Math.max(align, Math.ceil((size * dtypeBytes(dtype)) / align) * align);

/** Roots a unit reads and writes. */
function trafficOf(unit: Unit): { reads: Set<Root>; writes: Set<Root> } {
  const reads = new Set<Root>();
  const writes = new Set<Root>();
  for (const item of unit.items) {
    if (item.kind === "step") {
      for (const { root } of item.reads) reads.add(root);
      for (const root of item.writes) writes.add(root);
    } else {
      writes.add(item.output);
      for (const x of item.operands) if (!isSplat(x)) reads.add(x.root);
    }
  }
  if (unit.items[0]?.kind === "elementwise") for (const root of writes) reads.delete(root);
  return { reads, writes };
}

/**
 * Gives every temporary a place from its first to its last use; `external` roots get theirs from outside. A chain writes over an operand
 * that dies in it when both have elements of the same width.
 */
export function planMemory(units: readonly Unit[], external: ReadonlySet<Root>, rootCount: number): MemoryPlan {
  const traffic = units.map(trafficOf);
  const lastRead = new Map<Root, number>();
  traffic.forEach(({ reads }, i) => {
    for (const root of reads) lastRead.set(root, i);
  });
  const stored = new Set<Root>();
  const offsets = new Float64Array(rootCount).fill(-1);
  const arena = new ArenaLayout();

  units.forEach((unit, i) => {
    const { reads, writes } = traffic[i]!;
    const dying = [...reads].filter(
      (root) => root.kind === "temporary" && !external.has(root) && lastRead.get(root) === i,
    );
    const reusable = new Set(dying.filter((root) => canOverwrite(unit, root)));
    for (const root of writes) {
      const isChain = unit.items[0]!.kind === "elementwise";
      if (isChain && !external.has(root) && !lastRead.has(root)) continue;
      stored.add(root);
      if (external.has(root)) continue;
      const heir = [...reusable].find(
        (dead) => bytesOf(dead) === bytesOf(root) && dtypeBytes(dead.dtype) === dtypeBytes(root.dtype),
      );
      if (heir) {
        reusable.delete(heir);
        dying.splice(dying.indexOf(heir), 1);
        offsets[root.id] = offsets[heir.id]!;
      } else offsets[root.id] = arena.take(bytesOf(root));
    }
    const scratch = unit.items.flatMap((item) => (item.kind === "step" ? (item.scratch ?? []) : []));
    for (const root of scratch) offsets[root.id] = arena.take(bytesOf(root));
    for (const root of [...scratch, ...dying]) arena.give(offsets[root.id]!, bytesOf(root));
    // A step's result nobody reads still needs a place while the step runs.
    for (const root of writes)
      if (stored.has(root) && !external.has(root) && !lastRead.has(root)) arena.give(offsets[root.id]!, bytesOf(root));
  });
  return { offsets, bytes: arena.bytes, stored };
}

/** Whether a result of the unit may take the place of `root`, which the unit reads last. */
function canOverwrite(unit: Unit, root: Root): boolean {
  if (unit.items[0]!.kind === "step") {
    const [step] = unit.items;
    if (step?.kind !== "step" || step.writes.length !== 1) return false;
    const reads = step.reads.filter((view) => view.root === root);
    return reads.length === 1 && reads[0] === step.inPlace && isWhole(reads[0]!);
  }
  if (dtypeBytes(root.dtype) !== 4) return false;
  return (unit.items as readonly Elementwise[]).every((item) =>
    item.operands.every((x) => isSplat(x) || x.root !== root || (isWhole(x) && x.root.size === item.output.size)),
  );
}

/** Free pieces of a growing block, kept in order of address; neighbours merge. */
class ArenaLayout {
  private readonly free: { at: number; bytes: number }[] = [];
  bytes = 0;

  /** The smallest piece that fits, else new memory at the end. */
  take(bytes: number): number {
    let best = -1;
    this.free.forEach((piece, i) => {
      if (piece.bytes >= bytes && (best < 0 || piece.bytes < this.free[best]!.bytes)) best = i;
    });
    if (best < 0) {
      const last = this.free.at(-1);
      if (last && last.at + last.bytes === this.bytes) {
        this.free.pop();
        this.bytes = last.at + bytes;
        return last.at;
      }
      this.bytes += bytes;
      return this.bytes - bytes;
    }
    const piece = this.free[best]!;
    const { at } = piece;
    piece.at += bytes;
    piece.bytes -= bytes;
    if (piece.bytes === 0) this.free.splice(best, 1);
    return at;
  }
  give(at: number, bytes: number): void {
    let i = this.free.findIndex((piece) => piece.at > at);
    if (i < 0) i = this.free.length;
    this.free.splice(i, 0, { at, bytes });
    const next = this.free[i + 1];
    if (next && at + bytes === next.at) {
      this.free[i]!.bytes += next.bytes;
      this.free.splice(i + 1, 1);
    }
    const before = this.free[i - 1];
    if (before && before.at + before.bytes === at) {
      before.bytes += this.free[i]!.bytes;
      this.free.splice(i, 1);
    }
  }
}
