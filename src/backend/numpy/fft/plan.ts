import { radix2, radix4, radixOdd, type Butterfly } from "./butterflies.js";
import { complex, root, roots, type Complex } from "./roots.js";

/** A forward transform of one length: works on a vector of that length in place, without scaling. */
export type Transform = (vector: Complex) => void;

/** Above this prime factor a length is transformed by a convolution. */
const LARGEST_RADIX = 31;
const CACHE_SIZE = 64;
const cache = new Map<number, Transform>();

/** The transform of length `n`, with tables kept for lengths used lately. */
export function transformOf(n: number): Transform {
  let transform = cache.get(n);
  if (transform === undefined) {
    const radices = factorize(n);
    transform = Math.max(1, ...radices) > LARGEST_RADIX ? convolving(n) : stockham(n, radices);
  }
  // The map keeps insertion order: the one used last goes to the end.
  cache.delete(n);
  cache.set(n, transform);
  for (const oldest of cache.keys()) {
    if (cache.size <= CACHE_SIZE) break;
    cache.delete(oldest);
  }
  return transform;
}

/** Factors of `n`: fours before one two, then odd primes. */
function factorize(n: number): number[] {
  const factors: number[] = [];
  let rest = n;
  for (let p = 4; rest > 1; p = p === 4 ? 2 : p === 2 ? 3 : p + 2) {
    while (rest % p === 0) {
      factors.push(p);
      rest /= p;
    }
    if (p * p > rest && p > 4 && rest > 1) {
      factors.push(rest);
      break;
    }
  }
  return factors;
}

/** Stockham's self-sorting transform with mixed radices (Cochran et al., 1967). */
function stockham(n: number, radices: readonly number[]): Transform {
  const w = roots(n);
  const scratch = complex(n);
  const stages = radices.map((p): [number, Butterfly] => [p, p === 4 ? radix4 : p === 2 ? radix2 : radixOdd]);
  return (vector) => {
    let source = vector;
    let target = scratch;
    let spacing = 1;
    for (const [p, butterfly] of stages) {
      butterfly(source, target, p, n / (p * spacing), spacing, w);
      spacing *= p;
      [source, target] = [target, source];
    }
    if (source !== vector) {
      vector.re.set(source.re);
      vector.im.set(source.im);
    }
  };
}

/** A transform of any length as a convolution with a chirp (Bluestein, 1970), done with a length that is a power of two. */
function convolving(n: number): Transform {
  const size = 2 ** Math.ceil(Math.log2(2 * n - 1));
  const transform = transformOf(size);
  const chirp = complex(n);
  // exp(-pi i k^2 / n); the square modulo 2n is kept exactly by adding odd numbers.
  for (let k = 0, square = 0; k < n; k++) {
    [chirp.re[k], chirp.im[k]] = root(square, 2 * n);
    square = (square + 2 * k + 1) % (2 * n);
  }
  const kernel = complex(size);
  for (let k = 0; k < n; k++) {
    kernel.re[k] = chirp.re[k]!;
    kernel.im[k] = -chirp.im[k]!;
    if (k > 0) {
      kernel.re[size - k] = chirp.re[k]!;
      kernel.im[size - k] = -chirp.im[k]!;
    }
  }
  transform(kernel);
  const work = complex(size);
  // The inverse transform is the forward one with the parts exchanged.
  const exchanged: Complex = { re: work.im, im: work.re };
  return ({ re, im }) => {
    for (let k = 0; k < n; k++) {
      work.re[k] = re[k]! * chirp.re[k]! - im[k]! * chirp.im[k]!;
      work.im[k] = re[k]! * chirp.im[k]! + im[k]! * chirp.re[k]!;
    }
    work.re.fill(0, n);
    work.im.fill(0, n);
    transform(work);
    for (let k = 0; k < size; k++) {
      const x = work.re[k]!;
      const y = work.im[k]!;
      work.re[k] = (x * kernel.re[k]! - y * kernel.im[k]!) / size;
      work.im[k] = (x * kernel.im[k]! + y * kernel.re[k]!) / size;
    }
    transform(exchanged);
    for (let k = 0; k < n; k++) {
      re[k] = work.re[k]! * chirp.re[k]! - work.im[k]! * chirp.im[k]!;
      im[k] = work.re[k]! * chirp.im[k]! + work.im[k]! * chirp.re[k]!;
    }
  };
}
