/** Value at `x` of the polynomial whose coefficients are given from the constant term upwards (Horner's scheme). */
export function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * x + coefficients[i]!;
  return sum;
}
