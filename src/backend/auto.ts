import type { Engine } from "../core/engine.js";
import { chooseBackend } from "./choose.js";
import { loadBackend } from "./load.js";

/** What `#backend` is when no bundler condition names an engine: chosen as this module loads. */
const { name, from } = await chooseBackend();
const backend: Engine = await loadBackend(name, from);
export default backend;
