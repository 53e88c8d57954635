import { NDArray } from "../../../core/ndarray.js";
import type { Kernels } from "../../backend.js";
import { fft } from "../fft/fft.js";

/** Fourier transforms along the last axis, computed in double precision. */
export const spectralKernels = {
  fft: ([re, im], { inverse }, outputs) => {
    const [a, b] = [re!.numbers(), im!.numbers()];
    // Without scaling, the inverse is the forward transform with the parts exchanged, before and after.
    if (inverse) fft(b, a, re!.shape.at(-1)!);
    else fft(a, b, re!.shape.at(-1)!);
    return [a, b].map((part, i) => new NDArray(part, outputs[i]!.shape, "float64").astype(outputs[i]!.dtype));
  },
} satisfies Pick<Kernels<NDArray>, "fft">;
