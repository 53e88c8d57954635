import { sizeOf } from "../../../core/ndarray.js";
import type { PoolAttributes } from "../../../primitives/index.js";
import { currentDevice } from "../device.js";
import { rounded, scalarType, single } from "../storage.js";
import { isHalf, type Operand, type Ref, type Torch, type TorchKernels } from "../torch.js";
import { device } from "./create.js";
import { channelsFirst, channelsLast, isDegenerate, type Padding, spatialPadding } from "./layout.js";

/** A pooling as ATen does it: over two or three axes, with padding that is the same on both sides and at most half a window. */
interface Plan {
  readonly rank: 2 | 3;
  /** Whether a spatial axis of size 1 was put in front. */
  readonly lifted: boolean;
  readonly window: readonly number[];
  readonly strides: readonly number[];
  readonly even: readonly number[];
  /** What has to be added around the input before. */
  readonly extra: Padding | null;
}
function planOf({ window, strides, padding }: PoolAttributes): Plan | null {
  const lifted = window.length === 1;
  const rank = lifted ? 2 : window.length;
  if (rank !== 2 && rank !== 3) return null;
  const wide = lifted ? [1, ...window] : window;
  const steps = lifted ? [1, ...strides] : strides;
  const around: Padding = lifted ? [[0, 0], ...padding] : padding;
  if (around.flat().some((n) => n < 0)) return null;
  const even = around.map(([low, high], i) => Math.min(low, high, Math.floor(wide[i]! / 2)));
  const extra = around.map(([low, high], i) => [low - even[i]!, high - even[i]!] as const);
  const needsExtra = extra.some(([low, high]) => low > 0 || high > 0);
  return { rank, lifted, window: wide, strides: steps, even, extra: needsExtra ? extra : null };
}
const isDone = (x: Operand): boolean => x.dtype === "float32" || isHalf(x.dtype);
const negated = (padding: Padding): Padding => padding.map(([low, high]) => [-low, -high]);

/** [batch, ...spatial, channels] as ATen's image, padded with `value` where the plan says so. */
function image(torch: Torch, { ref, shape, dtype }: Operand, { rank, lifted, extra }: Plan, value: number): Ref {
  const x = single(torch, ref, dtype);
  const raised = lifted ? torch.call("reshape", x, [shape[0]!, 1, ...shape.slice(1)]) : x;
  const first = channelsFirst(torch, raised, rank);
  return extra ? torch.call("constant_pad_nd", first, spatialPadding(extra), value) : first;
}
/** Back from ATen's image. */
function lowered(
  torch: Torch,
  y: Ref,
  { rank }: Plan,
  { shape, dtype }: { shape: readonly number[]; dtype: Operand["dtype"] },
  isLifted: boolean,
): Ref {
  const last = channelsLast(torch, y, rank);
  return rounded(torch, isLifted ? torch.call("reshape", last, shape) : last, dtype);
}
const cropped = (torch: Torch, x: Ref, { extra }: Plan): Ref =>
  extra ? torch.call("constant_pad_nd", x, spatialPadding(negated(extra)), 0) : x;

const ones = (rank: number): number[] => new Array<number>(rank).fill(1);
const pooledWithPositions = (torch: Torch, x: Ref, { rank, window, strides, even }: Plan): readonly Ref[] =>
  torch.callMany(`max_pool${rank}d_with_indices`, 2, x, window, strides, even, ones(rank), false);

/** Channels from which on this package's own kernels are used, which take those of a pixel together. */
const FEWEST_CHANNELS = 8;
/** Arguments of the own kernels: those of images with channels last, in memory of the host, with windows that all see the image. */
function ownArguments(x: Operand, { window, strides, padding }: PoolAttributes): readonly (readonly number[])[] | null {
  const fits = x.dtype === "float32" && window.length === 2 && x.shape[3]! >= FEWEST_CHANNELS;
  if (!fits || currentDevice() !== "cpu") return null;
  const sees = padding.every(([low, high], i) => low >= 0 && high >= 0 && low < window[i]! && high < window[i]!);
  return sees ? [window, strides, padding.flat()] : null;
}

const maxPool: NonNullable<TorchKernels["maxPool"]> = (torch, [x], attributes, [spec]) => {
  if (isDegenerate([x!, spec!])) return null;
  const own = ownArguments(x!, attributes);
  if (own) return [torch.call("keras::max_pool2d", x!.ref, ...own)];
  const plan = planOf(attributes);
  if (!plan || !isDone(x!) || isDegenerate([x!, spec!])) return null;
  const [y] = pooledWithPositions(torch, image(torch, x!, plan, -Infinity), plan);
  return [lowered(torch, y!, plan, spec!, plan.lifted)];
};
const maxPoolGradient: NonNullable<TorchKernels["maxPoolGradient"]> = (torch, [x, g], attributes, [spec]) => {
  if (isDegenerate([x!, g!])) return null;
  const own = ownArguments(x!, attributes);
  if (own) return [torch.call("keras::max_pool2d_gradient", x!.ref, g!.ref, ...own)];
  const plan = planOf(attributes);
  if (!plan || !isDone(x!) || isDegenerate([x!, g!])) return null;
  const { rank, window, strides, even } = plan;
  const input = image(torch, x!, plan, -Infinity);
  const [, positions] = pooledWithPositions(torch, input, plan);
  const gradient = image(torch, g!, { ...plan, extra: null }, 0);
  const dx = torch.call(
    `max_pool${rank}d_with_indices_backward`,
    ...[gradient, input, window, strides, even, ones(rank), false, positions!],
  );
  return [lowered(torch, cropped(torch, dx, plan), plan, spec!, plan.lifted)];
};
const maxPoolSelect: NonNullable<TorchKernels["maxPoolSelect"]> = (torch, [x, t], attributes, [spec]) => {
  const plan = planOf(attributes);
  if (!plan || !isDone(x!) || !isDone(t!) || isDegenerate([x!, spec!])) return null;
  const [, positions] = pooledWithPositions(torch, image(torch, x!, plan, -Infinity), plan);
  const values = torch.call("flatten.using_ints", image(torch, t!, plan, 0), 2);
  const chosen = torch.call("gather", values, 2, torch.call("flatten.using_ints", positions!, 2));
  const [batch, ...inner] = spec!.shape;
  const spatial = [...(plan.lifted ? [1] : []), ...inner.slice(0, -1)];
  const shaped = torch.call("reshape", chosen, [batch!, inner.at(-1)!, ...spatial]);
  return [lowered(torch, shaped, plan, spec!, plan.lifted)];
};

const sumPool: NonNullable<TorchKernels["sumPool"]> = (torch, [x], attributes, [spec]) => {
  const plan = planOf(attributes);
  if (!plan || !isDone(x!) || isDegenerate([x!, spec!])) return null;
  const { rank, window, strides, even } = plan;
  const y = torch.call(`avg_pool${rank}d`, image(torch, x!, plan, 0), window, strides, even, false, true, 1);
  return [lowered(torch, y, plan, spec!, plan.lifted)];
};
const sumPoolGradient: NonNullable<TorchKernels["sumPoolGradient"]> = (torch, [g], attributes, [spec]) => {
  const plan = planOf(attributes);
  if (!plan || !isDone(g!) || isDegenerate([g!, spec!])) return null;
  const { rank, window, strides, even, extra, lifted } = plan;
  const spatial = [...(lifted ? [1] : []), ...attributes.spatial].map((d, i) =>
    extra ? d + extra[i]![0] + extra[i]![1] : d,
  );
  const shape = [spec!.shape[0]!, ...spatial, spec!.shape.at(-1)!];
  if (sizeOf(shape) === 0) return null;
  const like = channelsFirst(
    torch,
    torch.call("empty.memory_format", shape, scalarType.float32, undefined, device()),
    rank,
  );
  const gradient = image(torch, g!, { ...plan, extra: null }, 0);
  const dx = torch.call(`avg_pool${rank}d_backward`, gradient, like, window, strides, even, false, true, 1);
  return [lowered(torch, cropped(torch, dx, plan), plan, spec!, lifted)];
};

export const poolingKernels = {
  maxPool,
  maxPoolGradient,
  maxPoolSelect,
  sumPool,
  sumPoolGradient,
} satisfies TorchKernels;
