import { accelerator } from "./accelerator.js";
import { createBuiltIn } from "./engine.js";
import { control } from "./kernels/control.js";

/** The built-in engine on a WebAssembly heap of its own. */
const backend = createBuiltIn(accelerator);
control.compileBodiesWith(backend.compile);
export default backend;
