import type { Shape } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { definePrimitive, sameDType, showShape, type PrimitiveFunction } from "./define.js";

export interface ConvolutionAttributes {
  /** Per spatial axis. */
  readonly strides: readonly number[];
  /** Zeros before and after each spatial axis. */
  readonly padding: readonly (readonly [number, number])[];
  /** Distance of kernel taps. */
  readonly dilation: readonly number[];
  /** Channel groups that do not mix. */
  readonly groups: number;
}

/** Extent of a window of `size` taps. */
const extent = (size: number, dilation: number): number => (size - 1) * dilation + 1;
/** Positions of a window that slides over a padded axis. */
export const windowCount = (
  dim: number,
  size: number,
  stride: number,
  [low, high]: readonly [number, number],
  dilation = 1,
): number => Math.max(0, Math.floor((dim + low + high - extent(size, dilation)) / stride) + 1);

/** Cross-correlation of x [batch, ...spatial, channels] with a kernel [...window, channels / groups, filters]. */
export const convolution: PrimitiveFunction<
  [x: Tensor, kernel: Tensor, attributes: ConvolutionAttributes],
  Tensor,
  ConvolutionAttributes
> = definePrimitive(
  {
    name: "convolution",
    infer: ([x, kernel], { strides, padding, dilation, groups }: ConvolutionAttributes) => {
      const dtype = sameDType("convolution", [x!, kernel!]);
      const rank = strides.length;
      const channels = x!.shape.at(-1)!;
      if (!Number.isNaN(channels) && kernel!.shape[rank]! * groups !== channels) {
        throw new RangeError(
          `convolution: the kernel ${showShape(kernel!.shape)} with ${groups} groups needs ${kernel!.shape[rank]! * groups} input channels. Received: ${showShape(x!.shape)}.`,
        );
      }
      const spatial = strides.map((s, i) =>
        windowCount(x!.shape[i + 1]!, kernel!.shape[i]!, s, padding[i]!, dilation[i]!),
      );
      return [{ shape: [x!.shape[0]!, ...spatial, kernel!.shape.at(-1)!], dtype }];
    },
    gradient: ([g], { inputs: [x, kernel], attributes, needed }) => [
      needed[0] ? convolutionInputGradient(g!, kernel!, attributes, x!.shape.slice(1, -1)) : null,
      needed[1] ? convolutionKernelGradient(x!, g!, attributes, kernel!.shape.slice(0, -2)) : null,
    ],
  },
  (apply, x: Tensor, kernel: Tensor, attributes: ConvolutionAttributes): Tensor => apply([x, kernel], attributes)[0]!,
);

export interface ConvolutionInputAttributes extends ConvolutionAttributes {
  /** Spatial shape of the convolution's input. */
  readonly spatial: Shape;
}
const plain = ({ strides, padding, dilation, groups }: ConvolutionAttributes): ConvolutionAttributes => ({
  strides,
  padding,
  dilation,
  groups,
});

/** The transpose of `convolution` in its input: from output-shaped `g` to the input's shape. Also the transposed convolution. */
export const convolutionInputGradient: PrimitiveFunction<
  [g: Tensor, kernel: Tensor, attributes: ConvolutionAttributes, spatial: Shape],
  Tensor,
  ConvolutionInputAttributes
> = definePrimitive(
  {
    name: "convolutionInputGradient",
    infer: ([g, kernel], { spatial, groups }: ConvolutionInputAttributes) => [
      {
        shape: [g!.shape[0]!, ...spatial, kernel!.shape.at(-2)! * groups],
        dtype: sameDType("convolutionInputGradient", [g!, kernel!]),
      },
    ],
    gradient: ([G], { inputs: [g, kernel], attributes, needed }) => [
      needed[0] ? convolution(G!, kernel!, plain(attributes)) : null,
      needed[1] ? convolutionKernelGradient(G!, g!, plain(attributes), kernel!.shape.slice(0, -2)) : null,
    ],
  },
  (apply, g: Tensor, kernel: Tensor, attributes: ConvolutionAttributes, spatial: Shape): Tensor =>
    apply([g, kernel], { ...attributes, spatial })[0]!,
);

export interface ConvolutionKernelAttributes extends ConvolutionAttributes {
  /** Spatial shape of the kernel. */
  readonly window: Shape;
}
/** The transpose of `convolution` in its kernel: from x and output-shaped `g` to the kernel's shape. */
export const convolutionKernelGradient: PrimitiveFunction<
  [x: Tensor, g: Tensor, attributes: ConvolutionAttributes, window: Shape],
  Tensor,
  ConvolutionKernelAttributes
> = definePrimitive(
  {
    name: "convolutionKernelGradient",
    infer: ([x, g], { window, groups }: ConvolutionKernelAttributes) => [
      {
        shape: [...window, x!.shape.at(-1)! / groups, g!.shape.at(-1)!],
        dtype: sameDType("convolutionKernelGradient", [x!, g!]),
      },
    ],
    gradient: ([G], { inputs: [x, g], attributes, needed }) => [
      needed[0] ? convolutionInputGradient(g!, G!, plain(attributes), x!.shape.slice(1, -1)) : null,
      needed[1] ? convolution(x!, G!, plain(attributes)) : null,
    ],
  },
  (apply, x: Tensor, g: Tensor, attributes: ConvolutionAttributes, window: Shape): Tensor =>
    apply([x, g], { ...attributes, window })[0]!,
);
