import { registerBuiltins } from "../config/registry.js";
import { isSpecMode } from "../core/interpreter.js";
import { nameScope } from "../core/scopes.js";
import { StatelessScope } from "../core/stateless-scope.js";
import { onClearSession } from "../core/settings.js";
import { Tensor, tensor } from "../core/tensor.js";
import { Variable } from "../core/variable.js";
import { NDArray } from "../core/ndarray.js";
import * as P from "../primitives/index.js";
import { autoName } from "../utils/naming.js";
import { MersenneTwister } from "../utils/random/mersenne-twister.js";

/** What objects that draw take as seed: a fixed integer, a generator that moves on, or null for the global generator. */
export type Seed = number | SeedGenerator | null;
/** What random functions take: a seed, or the key itself, uint32 [2]. */
export type SeedOrKey = Seed | Tensor;

const isWord = (seed: number): boolean => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32;
const key = (words: readonly number[]): NDArray => new NDArray(Uint32Array.from(words), [2], "uint32");

// Python's global generator decides unseeded seeds, so that `setRandomSeed` gives those of Python Keras.
let python: MersenneTwister | null = null;
let globalGenerator: SeedGenerator | null = null;

/** A seed as an unseeded object draws it: an integer in [1, 10⁹]. */
export const makeDefaultSeed = (): number => (python ??= new MersenneTwister()).randint(1, 1e9);

/** Makes everything random that follows reproducible: unseeded layers and initializers, and draws without a seed. */
export function setRandomSeed(seed: number): void {
  if (!Number.isInteger(seed)) throw new TypeError(`setRandomSeed expects an integer. Received: ${String(seed)}.`);
  globalGenerator = null;
  python = new MersenneTwister(seed);
}
onClearSession(() => {
  globalGenerator = null;
});

/** A stream of random seeds, kept as state: each draw moves it on by one. */
export class SeedGenerator {
  readonly name: string;
  /** The seed it was given; null when it drew one. */
  readonly seed: number | null;
  /** uint32 [seed, counter]: JAX's raw threefry key of the next draw. */
  readonly state: Variable;

  constructor(seed: number | null = null, { name }: { name?: string } = {}) {
    if (seed !== null && !isWord(seed))
      throw new TypeError(`\`SeedGenerator.seed\` must be an integer from 0 to 2³² - 1. Received: ${String(seed)}.`);
    this.name = name ?? autoName("SeedGenerator");
    this.seed = seed;
    const value = key([seed ?? makeDefaultSeed(), 0]);
    using _ = nameScope(this.name, { caller: this });
    this.state = new Variable(() => tensor(value), {
      shape: [2],
      dtype: "uint32",
      trainable: false,
      autocast: false,
      aggregation: "none",
      name: "seed_generator_state",
    });
  }
  /** The key of the next draw. Unordered steps jump, so that draws in parallel branches do not meet. */
  next({ ordered = true }: { ordered?: boolean } = {}): Tensor {
    const current = this.state.value;
    const number = (n: number): Tensor => P.full([], n, "uint32");
    const step = ordered
      ? P.add(current, tensor(key([0, 1])))
      : P.remainder(P.multiply(P.add(current, number(1)), number(5387)), number(933199));
    this.state.assign(step);
    return current;
  }
  getConfig(): { seed: number | null; name: string } {
    return { seed: this.seed, name: this.name };
  }
  static fromConfig({ seed, name }: { seed: number | null; name?: string }): SeedGenerator {
    return new SeedGenerator(seed, name === undefined ? {} : { name });
  }
}
registerBuiltins("keras.random", { SeedGenerator });

/** The generator of draws that are given no seed. */
export function globalSeedGenerator(): SeedGenerator {
  if (!globalGenerator) {
    if (StatelessScope.current.get())
      throw new Error(
        "A draw without a seed inside compiled code would repeat itself at every call. Give it a SeedGenerator made beforehand.",
      );
    globalGenerator = new SeedGenerator();
  }
  return globalGenerator;
}
/** The uint32 [2] key that a seed stands for; generators move on. */
export function drawSeed(seed: SeedOrKey): Tensor {
  if (seed instanceof SeedGenerator) return seed.next();
  if (seed === null) {
    if (isSpecMode()) return P.full([2], 0, "uint32");
    return globalSeedGenerator().next({ ordered: false });
  }
  if (seed instanceof Tensor) {
    if (seed.dtype === "uint32" && seed.shape.length === 1 && seed.shape[0] === 2) return seed;
    throw new TypeError(`A key must be a uint32 tensor [2]. Received: ${seed.dtype} [${seed.shape}].`);
  }
  if (typeof seed !== "number" || !isWord(seed))
    throw new TypeError(
      `A seed must be an integer from 0 to 2³² - 1, a SeedGenerator or null. Received: ${String(seed)}.`,
    );
  return tensor(key([seed, 0]));
}
