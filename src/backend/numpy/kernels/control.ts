import type { NDArray } from "../../../core/ndarray.js";
import { ControlFlow, hostStack, sliceOf } from "../../control-flow.js";
import { hostCopy, releaseArray, shareArray } from "../heap-array.js";

/** Control flow of eager calls, and of Programs where there is no WebAssembly. */
export const control = new ControlFlow<NDArray>({
  retain: shareArray,
  release: releaseArray,
  host: (x) => x,
  slice: sliceOf,
  stack: (spec) =>
    hostStack<NDArray>(
      spec,
      (x) => x,
      (x) => x,
    ),
  result: hostCopy,
});
