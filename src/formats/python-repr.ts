/** A float as Python prints it: the shortest digits that read back the same, with ".0" or an exponent. In JSON's spelling of NaN and infinity. */
export function pythonRepr(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const [mantissa, exponentText] = Math.abs(value).toExponential().split("e") as [string, string];
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const digits = mantissa.replace(".", "");
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) {
    const power = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${mantissa}e${exponent < 0 ? "-" : "+"}${power}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}
