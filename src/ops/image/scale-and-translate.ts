import { resultType, toTensor } from "../../core/convert.js";
import { isFloat, type Shape } from "../../core/dtype.js";
import { defineOp } from "../../core/op.js";
import { floatx } from "../../core/settings.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { axisOf, constant, toFloat } from "../support.js";
import { type Kernel, kernels, samplingWeights } from "./sampling-weights.js";
import { resample } from "./resample.js";
import { choice, unstack } from "./support.js";

const { triangle, cubic, lanczos3, lanczos5 } = kernels;
const methods: Readonly<Record<string, Kernel>> = {
  linear: triangle,
  bilinear: triangle,
  trilinear: triangle,
  cubic,
  bicubic: cubic,
  tricubic: cubic,
  lanczos3,
  lanczos5,
};
interface Arguments {
  readonly spatialDims: readonly number[];
  readonly method: string;
  readonly antialias?: boolean | undefined;
}
const scaled = defineOp(
  "image.ScaleAndTranslate",
  (
    images: TensorLike,
    outputShape: Shape,
    scale: TensorLike,
    translation: TensorLike,
    { spatialDims, method, antialias = true }: Arguments,
  ): Tensor => {
    const kernel = choice("scaleAndTranslate", "method", method, methods);
    const x = toFloat(images);
    if (outputShape.length !== x.ndim)
      throw new RangeError(
        `scaleAndTranslate: \`outputShape\` must have one size for each axis. Received [${outputShape}] for images [${x.shape}].`,
      );
    const common = resultType(toTensor(scale), toTensor(translation));
    const dtype = isFloat(common) ? common : floatx();
    const [scales, shifts] = [scale, translation].map((v) => unstack(toTensor(v, dtype), 0)) as [Tensor[], Tensor[]];
    if (scales.length !== spatialDims.length || shifts.length !== spatialDims.length)
      throw new RangeError(
        `scaleAndTranslate: \`scale\` and \`translation\` need one number for each of the axes [${spatialDims}]. Received: ${scales.length} and ${shifts.length}.`,
      );
    return spatialDims.reduce((y, dim, i) => {
      const axis = axisOf(dim, x.ndim);
      const weights = samplingWeights({
        inputSize: y.shape[axis]!,
        outputSize: outputShape[axis]!,
        inverseScale: P.divide(constant(1, scales[i]!), scales[i]!),
        translation: shifts[i]!,
        kernel,
        antialias,
      });
      return resample(y, axis, weights);
    }, x);
  },
);

/**
 * Samples images so that what lies at x comes to lie at x · scale + translation on each of the axes `spatialDims`; pixels are squares
 * around half-integer positions, and what comes from outside is 0. `method` is "linear", "cubic", "lanczos3" or "lanczos5" (or a synonym
 * such as "bilinear"). Differentiable in `scale` and `translation` too.
 */
export const scaleAndTranslate = (
  images: TensorLike,
  outputShape: Shape,
  scale: TensorLike,
  translation: TensorLike,
  spatialDims: readonly number[],
  method: string,
  { antialias = true }: { antialias?: boolean | undefined } = {},
): Tensor => scaled(images, outputShape, scale, translation, { spatialDims, method, antialias });
