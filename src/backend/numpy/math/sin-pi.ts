/** sin(pi x), with the period removed exactly: zero at every integer. */
export function sinPi(x: number): number {
  const rest = x - 2 * Math.round(x / 2);
  if (Math.abs(rest) > 0.5) return Math.sin(Math.PI * (Math.sign(rest) - rest));
  return Math.sin(Math.PI * rest);
}
