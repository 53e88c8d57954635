/** Geometry of a 2-D convolution or pooling over NHWC images. Missing strides, dilations and groups are 1, missing padding 0. */
export interface WindowShape {
  readonly batch: number;
  readonly height: number;
  readonly width: number;
  /** Channels of the image, over all groups. */
  readonly channels: number;
  readonly kernelHeight: number;
  readonly kernelWidth: number;
  /** Channels of the output, over all groups; a pooling keeps the image's. */
  readonly filters?: number;
  readonly outHeight: number;
  readonly outWidth: number;
  readonly strideY?: number;
  readonly strideX?: number;
  readonly dilationY?: number;
  readonly dilationX?: number;
  /** Rows of padding above; what lies below follows from the output's height. May be negative (cropping). */
  readonly padTop?: number;
  readonly padLeft?: number;
  readonly groups?: number;
}

/** The sixteen words in which kernels read a `WindowShape`. */
export const windowWords = (s: WindowShape): number[] => [
  ...[s.batch, s.height, s.width, s.channels, s.kernelHeight, s.kernelWidth, s.filters ?? s.channels],
  ...[s.outHeight, s.outWidth, s.strideY ?? 1, s.strideX ?? 1, s.dilationY ?? 1, s.dilationX ?? 1],
  ...[s.padTop ?? 0, s.padLeft ?? 0, s.groups ?? 1],
];
