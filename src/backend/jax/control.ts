import { ControlFlow, hostStack, sliceOf } from "../control-flow.js";
import { Value } from "./value.js";

/** Control flow: jax-js has none. */
export const control = new ControlFlow<Value>({
  retain: (x) => x.retain(),
  release: (x) => x.release(),
  host: (x) => x.array,
  slice: (x, i) => Value.ofArray(sliceOf(x.array, i).copy()),
  stack: (spec) => hostStack(spec, (x) => x.array, Value.ofArray),
});
