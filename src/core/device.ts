/// <reference lib="esnext.disposable" preserve="true" />
import { engine } from "./engine.js";
import { dispose } from "../utils/dispose.js";

/**
 * Names the device for what is made inside: `using _ = device("cpu:0")`. An engine computes on the one device it was made for, so
 * only a name of that device is accepted; throws a TypeError for others.
 */
export function device(name: string): Disposable {
  if (typeof name !== "string" || !/^cpu(:0)?$/i.test(name))
    throw new TypeError(
      `device takes "cpu" or "cpu:0": the "${engine().name}" engine chooses where it computes. Received: ${JSON.stringify(name)}. Choose another engine for another device.`,
    );
  return { [dispose]: () => {} };
}
