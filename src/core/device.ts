/// <reference lib="esnext.disposable" preserve="true" />
import { engine } from "./engine.js";
import { dispose } from "../utils/dispose.js";

/**
 * Names the device for what is made inside: `using _ = device("cpu:0")`. An engine computes on the one device it was started on, so
 * only names of that device are accepted; throws a TypeError for others.
 */
export function device(name: string): Disposable {
  const { name: engineName, devices } = engine();
  const known = devices?.() ?? ["cpu"];
  if (typeof name !== "string" || !known.includes(name.toLowerCase().replace(/:0$/, "")))
    throw new TypeError(
      `device takes ${known.map((device) => `"${device}" or "${device}:0"`).join(", ")}: the "${engineName}" engine chooses where it computes. Received: ${JSON.stringify(name)}. Choose another engine for another device, or another device when the engine is loaded.`,
    );
  return { [dispose]: () => {} };
}
