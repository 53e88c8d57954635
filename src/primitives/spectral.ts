import type { Tensor } from "../core/tensor.js";
import { full } from "./create.js";
import { definePrimitive, type PrimitiveFunction } from "./define.js";

export interface FftAttributes {
  readonly inverse: boolean;
}

/** Discrete Fourier transform of (real, imaginary) along the last axis, without scaling in either direction. */
export const fft: PrimitiveFunction<
  [re: Tensor, im: Tensor, inverse: boolean],
  readonly [re: Tensor, im: Tensor],
  FftAttributes
> = definePrimitive(
  {
    name: "fft",
    infer: ([re, im], _: FftAttributes) => [re!, im!],
    gradient: ([gr, gi], { inputs: [re], attributes: { inverse } }) => {
      const zero = (): Tensor => full(re!.shape, 0, re!.dtype);
      return fft(gr ?? zero(), gi ?? zero(), !inverse);
    },
  },
  (apply, re: Tensor, im: Tensor, inverse: boolean): readonly [Tensor, Tensor] =>
    apply([re, im], { inverse }) as readonly [Tensor, Tensor],
);
