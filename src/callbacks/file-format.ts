import { exponential, fixed, pythonFloat } from "../utils/python-format.js";

/**
 * A path with Python's format fields filled in: `{epoch:02d}-{val_loss:.2f}.keras`.
 * @throws RangeError for a name that is not among `values`, and for a format that is not known.
 */
export function formatPath(path: string, values: Readonly<Record<string, number | number[]>>): string {
  return path.replace(/\{\{|\}\}|\{([^{}:]*)(?::([^{}]*))?\}/g, (text, name?: string, format = "") => {
    if (name === undefined) return text[0]!;
    const value = values[name];
    if (typeof value !== "number")
      throw new RangeError(
        `The path "${path}" has a field {${name}}, which the logs do not have. Known: ${Object.keys(values).join(", ")}.`,
      );
    return formatNumber(value, format, Number.isInteger(value) && (name === "epoch" || name === "batch"), path);
  });
}

function formatNumber(value: number, format: string, isInteger: boolean, path: string): string {
  const match = /^(0?)(\d*)(?:\.(\d+))?([dfeE]?)$/.exec(format);
  if (!match) throw new RangeError(`The path "${path}" has an unknown number format ":${format}". Use d, f or e.`);
  const [, zeros, width, precision, kind] = match;
  const digits = precision === undefined ? 6 : Number(precision);
  let text: string;
  if (kind === "d" || (isInteger && kind === "" && precision === undefined)) text = String(value);
  else if (kind === "f") text = fixed(value, digits);
  else if (kind === "e" || kind === "E") text = exponential(value, digits);
  else text = precision === undefined ? pythonFloat(value) : String(Number(value.toPrecision(Math.max(1, digits))));
  return text.padStart(Number(width || 0), zeros ? "0" : " ");
}
