import { allocate, NDArray, sizeOf } from "../../../core/ndarray.js";
import type { Kernels } from "../../backend.js";
import { castArray } from "../cast.js";
import { sortKeys, totalOrderKeys } from "../sort-keys.js";
import { StableSorter } from "../stable-sort.js";
import { bitsOf } from "../strided.js";
import { dense } from "../strided-copy.js";

/** `x` with `axis` moved to the end, as a view; its own inverse when given the result and the old place. */
function moveToEnd(x: NDArray, axis: number): NDArray {
  const order = x.shape.map((_, i) => i).filter((i) => i !== axis);
  order.push(axis);
  return x.transpose(order);
}
function moveFromEnd(x: NDArray, axis: number): NDArray {
  const order = x.shape.map((_, i) => i).slice(0, -1);
  order.splice(axis, 0, x.ndim - 1);
  return x.transpose(order);
}

/** Writes, row by row, what `write` makes of the positions that sort a row's keys. */
function eachRow(keys: Uint32Array, length: number, write: (row: number, positions: Uint32Array) => void): void {
  if (keys.length === 0) return;
  const sorter = new StableSorter(length);
  for (let start = 0; start < keys.length; start += length) write(start, sorter.sort(keys, start));
}

/** Keys turned around: sorting them upwards sorts the values downwards, equal ones still in their order. */
function turned(keys: Uint32Array): Uint32Array {
  return keys.map((key) => ~key);
}

function gatherSorted(x: NDArray, axis: number, descending: boolean): NDArray {
  const rows = dense(moveToEnd(x, axis)).contiguous();
  const length = x.shape[axis]!;
  const keys = sortKeys(rows);
  const out = allocate(x.dtype, x.size);
  const [from, to] = [bitsOf(rows.data), bitsOf(out)];
  eachRow(descending ? turned(keys) : keys, length, (start, positions) => {
    for (let i = 0; i < length; i++) to[start + i] = from[start + positions[i]!]!;
  });
  return moveFromEnd(new NDArray(out, rows.shape, x.dtype), axis);
}

function sortingPositions(x: NDArray, axis: number, descending: boolean): NDArray {
  const rows = moveToEnd(x, axis);
  const keys = sortKeys(rows);
  const out = new Int32Array(x.size);
  eachRow(descending ? turned(keys) : keys, x.shape[axis]!, (start, positions) => out.set(positions, start));
  return moveFromEnd(new NDArray(out, rows.shape, "int32"), axis);
}

export const sortKernels = {
  sort: ([x], { axis, descending }) => [gatherSorted(x!, axis, descending)],
  argSort: ([x], { axis, descending }) => [sortingPositions(x!, axis, descending)],
  topK: ([x], { k }, [spec]) => {
    const length = x!.shape.at(-1)!;
    const rows = x!.contiguous();
    const from = bitsOf(rows.data);
    const values = allocate(x!.dtype, sizeOf(spec!.shape));
    const to = bitsOf(values);
    const places = new Int32Array(sizeOf(spec!.shape));
    const write = (start: number, positions: Uint32Array): void => {
      const at = (start / length) * k;
      for (let i = 0; i < k; i++) {
        places[at + i] = positions[i]!;
        to[at + i] = from[start + positions[i]!]!;
      }
    };
    eachRow(turned(totalOrderKeys(rows)), length, write);
    return [new NDArray(values, spec!.shape, x!.dtype), new NDArray(places, spec!.shape, "int32")];
  },
  searchSorted: ([sorted, values], { side }) => {
    const row = sortKeys(sorted!);
    const wanted = sortKeys(castArray(values!, sorted!.dtype));
    const out = new Int32Array(wanted.length);
    for (let i = 0; i < out.length; i++) {
      const key = wanted[i]!;
      let low = 0;
      let high = row.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (side === "left" ? row[middle]! < key : row[middle]! <= key) low = middle + 1;
        else high = middle;
      }
      out[i] = low;
    }
    return [new NDArray(out, values!.shape, "int32")];
  },
} satisfies Partial<Kernels<NDArray>>;
