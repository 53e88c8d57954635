import type { Shape } from "../../../core/dtype.js";

/** An axis that a chain walks over: how many elements, and how far apart they lie in what is read. */
interface Axis {
  readonly size: number;
  readonly stride: number;
}
/** How the elements of a value are read, one after another: axes of more than one element, as few as will do. */
export type Access = readonly Axis[];

/** Strides of contiguous elements of a shape. */
export function contiguousStrides(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (let i = shape.length; i-- > 0; step *= shape[i]!) strides[i] = step;
  return strides;
}

/** Elements at the given strides, with axes joined where they can be. */
export function accessOf(shape: Shape, strides: readonly number[]): Access {
  const axes: Axis[] = [];
  shape.forEach((size, i) => {
    if (size === 1) return;
    const stride = strides[i]!;
    const last = axes.at(-1);
    if (last && last.stride === size * stride) axes[axes.length - 1] = { size: last.size * size, stride };
    else axes.push({ size, stride });
  });
  return axes;
}

/** Whether elements are read in the order in which they lie. */
export const isWhole = (access: Access): boolean =>
  access.length === 0 || (access.length === 1 && access[0]!.stride === 1);

/** Strides that read elements of shape `from` at a shape that they broadcast to. */
export function broadcastStrides(from: Shape, strides: readonly number[], to: Shape): number[] {
  const lead = to.length - from.length;
  return to.map((size, i) => (i < lead || (from[i - lead] === 1 && size !== 1) ? 0 : strides[i - lead]!));
}

/** Strides that read the same elements in the same order at another shape; null when no strides do. */
export function reshapedStrides(shape: Shape, strides: readonly number[], to: Shape): number[] | null {
  const axes = refine(accessOf(shape, strides), boundaries([to]));
  if (!axes) return null;
  const rest = [...axes];
  const result = new Array<number>(to.length).fill(0);
  for (let i = to.length; i-- > 0;) {
    if (to[i] === 1) continue;
    // An axis may not lie on several axes of what is read.
    const axis = rest.pop();
    if (!axis || axis.size !== to[i]) return null;
    result[i] = axis.stride;
  }
  return result;
}

/** How many elements follow each border between axes: suffix products of the sizes. */
function boundaries(shapes: Iterable<Shape>): Set<number> {
  const found = new Set<number>();
  for (const shape of shapes) {
    let product = 1;
    for (let i = shape.length; i-- > 0;) found.add((product *= shape[i]!));
  }
  return found;
}

/** The access with its axes split at the borders that fall inside them; null when one does not fit. */
function refine(access: Access, borders: ReadonlySet<number>): Access | null {
  const axes: Axis[] = [];
  let inner = 1;
  for (let i = access.length; i-- > 0;) {
    const { size, stride } = access[i]!;
    const outer = inner * size;
    const cuts = [...borders].filter((b) => b > inner && b < outer).sort((a, b) => a - b);
    let from = inner;
    let step = stride;
    for (const cut of [...cuts, outer]) {
      if (cut % from !== 0) return null;
      axes.unshift({ size: cut / from, stride: step });
      step *= cut / from;
      from = cut;
    }
    inner = outer;
  }
  return axes;
}

/** One shape for several accesses of `size` elements each, and the strides of each at it; null when they do not fit together. */
export function commonShape(
  size: number,
  accesses: readonly Access[],
  extra: readonly number[] = [],
): { readonly shape: readonly number[]; readonly strides: readonly (readonly number[])[] } | null {
  const borders = new Set<number>([...boundaries(accesses.map((axes) => axes.map((a) => a.size))), ...extra]);
  const cuts = [...borders].filter((b) => b > 1 && b < size).sort((a, b) => a - b);
  const shape: number[] = [];
  let from = 1;
  for (const cut of size > 1 ? [...cuts, size] : []) {
    if (cut % from !== 0) return null;
    shape.unshift(cut / from);
    from = cut;
  }
  const strides: (readonly number[])[] = [];
  for (const access of accesses) {
    // Of one element only: the same everywhere.
    const spread = access.length === 0 && size > 1 ? [{ size, stride: 0 }] : access;
    const refined = refine(spread, borders);
    if (!refined || refined.length !== shape.length) return null;
    strides.push(refined.map(({ stride }) => stride));
  }
  return { shape, strides };
}
