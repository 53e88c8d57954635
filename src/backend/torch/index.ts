import type { Engine } from "../../core/engine.js";
import { compile } from "./compile.js";
import { control } from "./control.js";
import { devices, enterDevice } from "./device.js";
import { foreignModules } from "./foreign-modules.js";
import { runPrimitive } from "./run-primitive.js";
import { Value } from "./value.js";

control.compileBodiesWith(compile);

/**
 * The engine on libtorch, reached through a native addon: Programs are one call into libtorch each. What ATen lacks or does with other
 * edge values, the built-in engine does.
 */
const backend: Engine = {
  name: "torch",
  foreignModules,
  runsInBackground: true,
  devices,
  enterDevice,
  execute: (primitive, inputs, attributes, outputs) =>
    runPrimitive(primitive, inputs as readonly Value[], attributes, outputs),
  fromHost: (array) => Value.fromHost(array),
  toHost: (handle) => (handle as Value).toHost(),
  item: (handle) => (handle as Value).item(),
  share: (handle) => (handle as Value).retain(),
  dispose: (handle) => (handle as Value).release(),
  compile,
};
export default backend;
