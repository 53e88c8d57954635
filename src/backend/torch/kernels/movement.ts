import { sizeOf } from "../../../core/ndarray.js";
import type { PadAttributes, SliceAttributes } from "../../../primitives/index.js";
import type { Kernel, Ref, Torch, TorchKernels } from "../torch.js";
import { fillValue, filled, freshlyFilled } from "./create.js";

/** libtorch's number of the memory format without gaps, in row-major order. */
export const CONTIGUOUS = 0;

/** Elements `start`, `start + step`... below `end` on one axis, as a view. */
const sliced = (torch: Torch, x: Ref, axis: number, start: number, end: number, step = 1): Ref =>
  torch.call("slice.Tensor", x, axis, start, end, step);

const slice: Kernel<SliceAttributes> = (torch, [x], { start, limit, strides }) => {
  let view = x!.ref;
  x!.shape.forEach((dim, axis) => {
    const [from, to, step] = [start[axis]!, limit[axis]!, strides[axis]!];
    if (from !== 0 || to !== dim || step !== 1) view = sliced(torch, view, axis, from, Math.max(from, to), step);
  });
  return [view];
};

const pad: Kernel<PadAttributes> = (torch, [x], { low, high, interior, value }, [spec]) => {
  const { shape, dtype } = x!;
  if (sizeOf(spec!.shape) === 0 || sizeOf(shape) === 0) return [filled(torch, spec!.shape, value, dtype)];
  const spread = shape.map((d, i) => d + (d - 1) * interior[i]!);
  // Cutting away more than there is has no counterpart.
  if (spread.some((d, i) => low[i]! < -d || high[i]! < -d)) return null;
  let inner = x!.ref;
  if (interior.some((n) => n > 0)) {
    inner = freshlyFilled(torch, spread, value, dtype);
    let view = inner;
    interior.forEach((n, axis) => {
      if (n > 0) view = sliced(torch, view, axis, 0, spread[axis]!, n + 1);
    });
    torch.call("copy_", view, x!.ref);
  }
  const amounts = shape.flatMap((_, i) => [high[i]!, low[i]!]).reverse();
  if (amounts.every((n) => n === 0)) return [inner];
  return [torch.call("constant_pad_nd", inner, amounts, fillValue(value, dtype))];
};

/** The window of `sizes` at `start`, moved inside, as a view. */
function windowOf(torch: Torch, x: Ref, shape: readonly number[], start: Ref, sizes: readonly number[]): Ref {
  let view = x;
  shape.forEach((dim, axis) => {
    const room = dim - sizes[axis]!;
    if (room === 0) return;
    const at = torch.call("clamp", torch.call("select.int", start, 0, axis), 0, room);
    view = torch.call("narrow.Tensor", view, axis, at, sizes[axis]!);
  });
  return view;
}

export const movementKernels = {
  reshape: (torch, [x], { shape }) => [torch.call("reshape", x!.ref, shape)],
  transpose: (torch, [x], { permutation }) => [torch.call("permute", x!.ref, permutation)],
  broadcastTo: (torch, [x], { shape }) => [torch.call("expand", x!.ref, shape)],
  slice,
  pad,
  reverse: (torch, [x], { axes }) => [torch.call("flip", x!.ref, axes)],
  concatenate: (torch, inputs, { axis }) => [
    torch.call(
      "cat",
      inputs.map((x) => x.ref),
      axis,
    ),
  ],
  dynamicSlice: (torch, [x, start], { sizes }) => [windowOf(torch, x!.ref, x!.shape, start!.ref, sizes)],
  dynamicUpdateSlice: (torch, [x, update, start]) => {
    const out = torch.fresh("clone", x!.ref, CONTIGUOUS);
    torch.call("copy_", windowOf(torch, out, x!.shape, start!.ref, update!.shape), update!.ref);
    return [out];
  },
} satisfies TorchKernels;
