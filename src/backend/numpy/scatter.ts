import type { NDArray } from "../../core/ndarray.js";
import type { ScatterMode } from "../../primitives/indexing.js";
import { type Lane, laneOf, laneValues, narrowed } from "./lanes.js";
import { complexBinary } from "./loops/complex.js";
import * as loops from "./loops/scatter.js";
import { multiply } from "./math/complex.js";

type AnyLoop = loops.ScatterLoop<Lane>;
const complexProduct = complexBinary(multiply);
const multiplyComplex: loops.ScatterLoop<Float32Array> = (n, out, o, updates, u) =>
  complexProduct(n / 2, out, o / 2, updates, u / 2, out, o / 2);

function loopFor(x: NDArray, mode: ScatterMode): AnyLoop {
  const lane = laneOf(x.dtype);
  const real = lane === "float" || lane === "complex";
  switch (mode) {
    case "set":
      return loops.set;
    case "add":
      return real ? (loops.addFloat as AnyLoop) : loops.add;
    case "multiply":
      if (lane === "complex") return multiplyComplex as AnyLoop;
      return real ? (loops.multiplyFloat as AnyLoop) : loops.multiplyInt;
    default:
      if (lane === "complex") throw new TypeError(`Scattering with mode "${mode}" is not defined for complex64.`);
      return mode === "max" ? loops.max : loops.min;
  }
}

/** How updates reach the result: `visit` calls `put` with the two places of each slice inside, in elements. */
export type Placement = (put: (to: number, from: number) => void) => void;

/** A copy of `x` with slices of `length` elements of `updates` joined in, in the order `placement` names them. */
export function scatterSlices(
  x: NDArray,
  updates: NDArray,
  length: number,
  mode: ScatterMode,
  placement: Placement,
): NDArray {
  const loop = loopFor(x, mode);
  const out = laneValues(x).slice() as Lane;
  const values = laneValues(updates);
  const width = x.dtype === "complex64" ? 2 : 1;
  placement((to, from) => loop(length * width, out, to * width, values, from * width));
  return narrowed(out, x.shape, x.dtype);
}
