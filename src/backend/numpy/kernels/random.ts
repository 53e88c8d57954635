import { NDArray, sizeOf } from "../../../core/ndarray.js";
import type { Shape } from "../../../core/dtype.js";
import type { Kernels } from "../../backend.js";
import { castArray } from "../cast.js";
import { threefry2x32 } from "../threefry.js";

/** Runs the cipher for every key; `second` is null when the words are to be combined by exclusive or. */
function generate(key: NDArray, shape: Shape, second: Uint32Array | null): Uint32Array {
  const keys = castArray(key, "uint32").contiguous().data as Uint32Array;
  const count = sizeOf(shape);
  const first = new Uint32Array((keys.length / 2) * count);
  for (let k = 0; k < keys.length / 2; k++) {
    threefry2x32(keys[2 * k]!, keys[2 * k + 1]!, count, first, second, k * count);
  }
  return first;
}

export const randomKernels = {
  threefry: ([key], { shape }, [spec]) => {
    const second = new Uint32Array(sizeOf(spec!.shape));
    const first = generate(key!, shape, second);
    return [new NDArray(first, spec!.shape, "uint32"), new NDArray(second, spec!.shape, "uint32")];
  },
  randomBits: ([key], { shape }, [spec]) => [new NDArray(generate(key!, shape, null), spec!.shape, "uint32")],
} satisfies Partial<Kernels<NDArray>>;
