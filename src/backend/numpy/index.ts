import { accelerator } from "./accelerator.js";
import { createBuiltIn } from "./engine.js";
import { useSubProgramCompiler } from "./kernels/sub-programs.js";

/** The built-in engine on a WebAssembly heap of its own. */
const backend = createBuiltIn(accelerator);
useSubProgramCompiler(backend.compile);
export default backend;
