/** `value` as Python's `f"{value:.{digits}f}"` writes it: exact ties go to the even digit, `nan` and `inf` are words. */
export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return nonFinite(value);
  const size = Math.abs(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (size >= 1e21) return `${sign}${BigInt(size)}${digits > 0 ? `.${"0".repeat(digits)}` : ""}`;
  const rounded = size.toFixed(digits);
  // toFixed rounds ties up; more digits of the exact decimal expansion show whether it was one.
  const exact = size.toFixed(Math.min(100, digits + 60));
  const cut = exact.length - Math.min(100 - digits, 60);
  if (!/^50*$/.test(exact.slice(cut))) return sign + rounded;
  const below = exact.slice(0, digits === 0 ? cut - 1 : cut);
  return sign + (Number(below.at(-1)) % 2 === 0 ? below : rounded);
}

/** `value` as Python's `f"{value:.{digits}e}"` writes it: at least two digits of exponent. */
export function exponential(value: number, digits: number): string {
  if (!Number.isFinite(value)) return nonFinite(value);
  const size = Math.abs(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const exact = size.toExponential(Math.min(100, digits + 60));
  const [mantissa, exponent] = exact.split("e") as [string, string];
  const cut = digits === 0 ? 2 : digits + 2;
  const isTie = /^50*$/.test(mantissa.slice(cut));
  const below = mantissa.slice(0, digits === 0 ? 1 : cut);
  const text = isTie && Number(below.at(-1)) % 2 === 0 ? `${below}e${exponent}` : size.toExponential(digits);
  return sign + text.replace(/e([+-])(\d)$/, "e$10$2");
}

/** `value` as Python's `str()` writes a float. */
export function pythonFloat(value: number): string {
  if (!Number.isFinite(value)) return nonFinite(value);
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const size = Math.abs(value);
  if (size >= 1e16 || size < 1e-4) {
    const [mantissa, exponent] = value.toExponential().split("e") as [string, string];
    return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
  }
  const text = String(value);
  return text.includes(".") ? text : `${text}.0`;
}

const nonFinite = (value: number): string => (Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");
