import type { ConvolutionAttributes, ConvolutionInputAttributes } from "../../primitives/index.js";
import { areFloats, type NativeKernel, type NativeKernels } from "./native.js";
import { type Temporaries, withTemporaries } from "./run.js";

type Pair = readonly [number, number];
type Tensor = Parameters<Temporaries["reshape"]>[0];

/** A 2-d convolution without groups; 1-d ones get a first spatial axis of size 1. */
interface Plane {
  readonly strides: Pair;
  readonly padding: readonly [Pair, Pair];
  readonly dilation: Pair;
}
function planeOf({ strides, padding, dilation, groups }: ConvolutionAttributes): Plane | null {
  if (groups !== 1 || strides.length < 1 || strides.length > 2) return null;
  const lead = strides.length === 1;
  const pair = (values: readonly number[]): Pair => (lead ? [1, values[0]!] : [values[0]!, values[1]!]);
  return {
    strides: pair(strides),
    padding: lead ? [[0, 0], padding[0]!] : [padding[0]!, padding[1]!],
    dilation: pair(dilation),
  };
}
/** Shape of an image [batch, ...spatial, channels] or, with `window`, of a kernel, with two spatial axes. */
const imageShape = (shape: readonly number[]): number[] =>
  shape.length === 3 ? [shape[0]!, 1, ...shape.slice(1)] : [...shape];
const kernelShape = (shape: readonly number[]): number[] => (shape.length === 3 ? [1, ...shape] : [...shape]);

function convolve(tmp: Temporaries, x: Tensor, kernel: Tensor, { strides, padding, dilation }: Plane): Tensor {
  const pad = [[0, 0], ...padding.map((p) => [...p]), [0, 0]];
  const filter = tmp.weights("Conv2D", kernel, kernel.shape);
  return tmp.run("Conv2D", { x, filter }, { strides, pad, dataFormat: "NHWC", dilations: dilation });
}
const isPadded = ({ padding }: Plane): boolean => padding.flat().every((n) => n >= 0);

const convolution: NativeKernel<ConvolutionAttributes> = ([x, kernel], attributes, [spec]) => {
  const plane = planeOf(attributes);
  if (!plane || !isPadded(plane) || !areFloats([x!, kernel!], spec!)) return null;
  return withTemporaries(spec!, (tmp) =>
    convolve(
      tmp,
      tmp.reshape(x!.tensor, imageShape(x!.shape)),
      tmp.reshape(kernel!.tensor, kernelShape(kernel!.shape)),
      plane,
    ),
  );
};

/** The gradient in the input of a convolution without strides: a convolution with the kernel turned around. */
const inputGradient: NativeKernel<ConvolutionInputAttributes> = ([g, kernel], attributes, [spec]) => {
  const plane = planeOf(attributes);
  if (!plane || plane.strides.some((s) => s !== 1) || !areFloats([g!, kernel!], spec!)) return null;
  const taps = kernelShape(kernel!.shape);
  const padding = plane.padding.map(([low, high], i) => {
    const reach = (taps[i]! - 1) * plane.dilation[i]!;
    return [reach - low, reach - high] as const;
  }) as unknown as Plane["padding"];
  const turned = { ...plane, padding };
  if (!isPadded(turned)) return null;
  return withTemporaries(spec!, (tmp) => {
    const filter = tmp.run("Reverse", { x: tmp.reshape(kernel!.tensor, taps) }, { dims: [0, 1] });
    return convolve(tmp, tmp.reshape(g!.tensor, imageShape(g!.shape)), tmp.transpose(filter, [0, 1, 3, 2]), turned);
  });
};

/**
 * Convolutions over one or two axes and their gradients in the input. To the built-in engine go groups, three axes, gradients with strides,
 * and the gradient in the kernel: as a convolution with channels and batch exchanged it takes twice to four times as long here.
 */
export const convolutionKernels = {
  convolution,
  convolutionInputGradient: inputGradient,
} satisfies NativeKernels;
