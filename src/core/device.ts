/// <reference lib="esnext.disposable" preserve="true" />
import { engine } from "./engine.js";
import { dispose } from "../utils/dispose.js";

/**
 * Names the device for what is made inside: `using _ = device("cpu:0")`. Most engines compute on the one device they were started on, so
 * only names of the engine's devices are accepted; throws a TypeError for others.
 */
export function device(name: string): Disposable {
  const current = engine();
  const { name: engineName } = current;
  const known = current.devices?.() ?? ["cpu"];
  const wanted = typeof name === "string" ? name.toLowerCase().replace(/:0$/, "") : null;
  if (wanted === null || !known.includes(wanted))
    throw new TypeError(
      `device takes ${known.map((device) => `"${device}" or "${device}:0"`).join(", ")}: the "${engineName}" engine chooses where it computes. Received: ${JSON.stringify(name)}. Choose another engine for another device, or another device when the engine is loaded.`,
    );
  return current.enterDevice?.(wanted) ?? { [dispose]: () => {} };
}
