import { KerasTensor } from "../../../src/core/keras-tensor.js";
import { Mismatch } from "../compare.js";
import type { Kind } from "./kind.js";
import { kinds } from "./index.js";

/** Accidents of JavaScript that are no answer to a wrong call. */
const accident = /is not a function|undefined \(reading|not iterable|Cannot (read|access)|is not defined$|No signature/;

/** Calls that Python refuses: the library must refuse them too, on purpose. */
export const error: Kind = {
  async replay(golden, arrays) {
    const of = golden["of"] as string;
    const prepare = kinds[of]?.prepare;
    if (!prepare) throw new Mismatch(`errors of ${of} cannot be repeated`);
    const run = await prepare({ ...golden, kind: of }, arrays);
    let result: unknown;
    try {
      result = await run();
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      if (accident.test(message)) throw new Mismatch(`failed by accident: ${message}`, { cause: thrown });
      return;
    }
    const { type, message = "" } = golden["raises"] as { type: string; message?: string };
    const what = result instanceof KerasTensor ? "a symbolic tensor" : typeof result;
    throw new Mismatch(`returned ${what}, expected ${type} ${message.slice(0, 100)}`);
  },
};
