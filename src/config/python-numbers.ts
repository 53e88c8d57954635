import { Dynamic } from "../core/dynamic.js";
import { PyFloat, pyFloat } from "../utils/py-float.js";

/** `getConfig` gives plain numbers to its caller; only what is on its way into a file tells `1.0` from `1`. */
const marking = new Dynamic(false);

/** Runs `write` so that float fields mark whole numbers as Python floats. */
export const withPythonNumbers = <T>(write: () => T): T => marking.run(true, write);

/** A float on its way into a config. */
export const writeFloat = (value: number): number | PyFloat => (marking.get() ? pyFloat(value) : value);

/** The number of a number or a marked Python float; everything else comes back unchanged. */
export const readNumber = (value: unknown): unknown => (value instanceof PyFloat ? value.value : value);
