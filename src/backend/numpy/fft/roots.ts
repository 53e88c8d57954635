/** Parts of complex numbers, in two arrays of equal length. */
export interface Complex {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** Zeros, `length` of them. */
export function complex(length: number): Complex {
  return { re: new Float64Array(length), im: new Float64Array(length) };
}

/**
 * The number exp(-2 pi i k / n) for 0 <= k < n; the angle is brought below an eighth of a turn exactly, so that both
 * parts are correct to the last digits.
 */
export function root(k: number, n: number): [re: number, im: number] {
  const quarter = Math.floor((4 * k) / n);
  const rest = 4 * k - quarter * n;
  const reflected = 2 * rest > n;
  const angle = ((reflected ? n - rest : rest) / n) * (Math.PI / 2);
  const cosine = reflected ? Math.sin(angle) : Math.cos(angle);
  const sine = reflected ? Math.cos(angle) : Math.sin(angle);
  if (quarter === 0) return [cosine, -sine];
  if (quarter === 1) return [-sine, -cosine];
  if (quarter === 2) return [-cosine, sine];
  return [sine, cosine];
}

/** The `n` numbers exp(-2 pi i k / n). */
export function roots(n: number): Complex {
  const result = complex(n);
  for (let k = 0; k < n; k++) [result.re[k], result.im[k]] = root(k, n);
  return result;
}
