import type { Engine } from "../../core/engine.js";
import { compile } from "./compile.js";
import { control } from "./control.js";
import { runOp } from "./eager.js";
import { adopt } from "./interop.js";
import { devices } from "./library.js";
import { Value } from "./value.js";

export { fromJax, toJax } from "./interop.js";

control.compileBodiesWith(compile);

/**
 * The engine on jax-js: Programs and single ops are compiled by `jax.jit` to WebAssembly. What jax-js lacks or gets wrong,
 * other dtypes and empty arrays among it, is computed by the built-in engine.
 */
const backend: Engine = {
  name: "jax",
  devices,
  execute(primitive, handles, attributes, outputs) {
    const inputs = handles as readonly Value[];
    return control.run(primitive, inputs, attributes, outputs) ?? runOp(primitive, inputs, attributes, outputs);
  },
  fromHost: (array) => Value.ofArray(array.copy()),
  adopt,
  toHost: (handle) => (handle as Value).toHost(),
  share: (handle) => (handle as Value).retain(),
  dispose: (handle) => (handle as Value).release(),
  compile,
};
export default backend;
