import type { NDArray } from "../../core/ndarray.js";
import { ControlFlow, hostStack, sliceOf } from "../control-flow.js";
import { builtIn } from "./rest.js";
import { Value } from "./value.js";

const ofHost = (array: NDArray): Value => Value.ofArray(builtIn.fromHost(array) as NDArray);

/** Control flow: TensorFlow.js's is another. */
export const control = new ControlFlow<Value>({
  retain: (x) => x.retain(),
  release: (x) => x.release(),
  host: (x) => x.array,
  slice: (x, i) => Value.fromHost(sliceOf(x.array, i)),
  stack: (spec) => hostStack(spec, (x) => x.toHost(), ofHost),
});
