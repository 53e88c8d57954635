import type { TensorSpec } from "../../../core/dtype.js";
import { sizeOf } from "../../../core/ndarray.js";
import type { Ref, Torch } from "../torch.js";

/** Elements before and after each spatial axis. */
export type Padding = readonly (readonly [low: number, high: number])[];

const range = (n: number, from: number): number[] => Array.from({ length: n }, (_, i) => i + from);

/** [batch, ...spatial, channels] as [batch, channels, ...spatial]: a view, whose memory ATen's kernels know as channels last. */
export const channelsFirst = (torch: Torch, x: Ref, rank: number): Ref =>
  torch.call("permute", x, [0, rank + 1, ...range(rank, 1)]);
export const channelsLast = (torch: Torch, x: Ref, rank: number): Ref =>
  torch.call("permute", x, [0, ...range(rank, 2), 1]);

/** Padding as `constant_pad_nd` takes it: the last axis first. */
export const spatialPadding = (padding: Padding): number[] =>
  [...padding].reverse().flatMap(([low, high]) => [low, high]);

/** Whether some tensor has no elements. */
export const isDegenerate = (specs: readonly TensorSpec[]): boolean => specs.some(({ shape }) => sizeOf(shape) === 0);
