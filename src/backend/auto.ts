import type { Engine } from "../core/engine.js";
import { chooseBackend } from "./choose.js";
import { loadBackend } from "./load.js";
import { offerEngines } from "./switching.js";

/** What `#backend` is when no bundler condition names an engine: chosen as this module loads. */
const { name, from } = await chooseBackend();
offerEngines(loadBackend);
const backend: Engine = await loadBackend(name, from);
export default backend;
