import { isComplex } from "../../../core/dtype.js";
import { sizeOf } from "../../../core/ndarray.js";
import type { ScatterAlongAxisAttributes, ScatterMode } from "../../../primitives/index.js";
import { converted, isDisguised, narrowed, ordered, rounded, scalarType, single } from "../storage.js";
import { isFloat8, isHalf, type Kernel, type Operand, type Ref, type Torch, type TorchKernels } from "../torch.js";
import { indexValues, linearPlaces, placesOf } from "./indexing.js";

/** Names of the modes in ATen's ops that reduce. */
const reductions: Readonly<Partial<Record<ScatterMode, string>>> = { multiply: "prod", min: "amin", max: "amax" };

/** Whether the update is done here: everything but float8, bools other than set, and complex products and extremes. */
const isDone = ({ dtype, shape }: Operand, updates: Operand, mode: ScatterMode): boolean =>
  sizeOf(shape) > 0 &&
  sizeOf(updates.shape) > 0 &&
  (mode === "set" || (!isFloat8(dtype) && dtype !== "bool" && (mode === "add" || !isComplex(dtype))));

/** Stored elements in a type in which updates are joined; halves gather in single precision and are rounded once. */
function opened(torch: Torch, { ref, dtype }: Operand, mode: ScatterMode): Ref {
  if (mode === "set") return ref;
  return isHalf(dtype) ? single(torch, ref, dtype) : mode === "add" ? ref : ordered(torch, ref, dtype);
}
function closed(torch: Torch, x: Ref, { dtype }: Operand, mode: ScatterMode): Ref {
  if (mode === "set") return x;
  if (isHalf(dtype)) return rounded(torch, x, dtype);
  return mode !== "add" && isDisguised(dtype) ? narrowed(torch, x, dtype) : x;
}

/** `x` with one more slice at the end of `axis`, to which updates outside go. */
const withSpare = (torch: Torch, x: Ref, axis: number): Ref =>
  torch.call("cat", [x, torch.call("narrow", x, axis, 0, 1)], axis);
const withoutSpare = (torch: Torch, x: Ref, axis: number, size: number): Ref => torch.call("narrow", x, axis, 0, size);
/** Indices, those outside replaced by that of the spare slice. */
const redirected = (torch: Torch, safe: Ref, valid: Ref | null, size: number): Ref =>
  valid === null ? safe : torch.call("where.ScalarOther", valid, safe, size);

/** Rows joined one by one with those that `at` names. */
function reduced(torch: Torch, rows: Ref, at: Ref, source: Ref, shape: readonly number[], mode: ScatterMode): Ref {
  const everywhere = torch.call("expand", torch.call("unsqueeze", at, 1), shape);
  return torch.call("scatter_reduce.two", rows, 0, everywhere, source, reductions[mode]!);
}

const scatter: NonNullable<TorchKernels["scatter"]> = (torch, [x, indices, updates], { mode }) => {
  const depth = indices!.shape.at(-1)!;
  if (depth === 0 || !isDone(x!, updates!, mode)) return null;
  const dims = x!.shape.slice(0, depth);
  const [size, width] = [sizeOf(dims), sizeOf(x!.shape.slice(depth))];
  const { safe, valid } = linearPlaces(torch, indices!, dims, "zero");
  const at = redirected(torch, safe, valid, size);
  const count = sizeOf(indices!.shape.slice(0, -1));
  const source = torch.call("reshape", opened(torch, updates!, mode), [count, width]);
  if (mode === "add" && x!.dtype === "float32" && x!.constant === 0) {
    // Rows added into nothing: the gradient of a lookup, for which ATen has a kernel on all cores.
    const sums = torch.call("embedding_dense_backward", source, at, size, size, false);
    return [torch.call("reshape", sums, x!.shape)];
  }
  const rows = withSpare(torch, torch.call("reshape", opened(torch, x!, mode), [size, width]), 0);
  const joined =
    mode === "set"
      ? torch.call("index_copy", rows, 0, at, source)
      : mode === "add"
        ? torch.call("index_add", rows, 0, at, source)
        : reduced(torch, rows, at, source, [count, width], mode);
  const result = torch.call("reshape", withoutSpare(torch, joined, 0, size), x!.shape);
  return [closed(torch, result, x!, mode)];
};

const scatterAlongAxis: Kernel<ScatterAlongAxisAttributes> = (torch, [x, indices, updates], { axis, mode }) => {
  if (!isDone(x!, updates!, mode)) return null;
  const dim = x!.shape[axis]!;
  const { safe, valid } = placesOf(torch, indexValues(torch, indices!), dim, "zero");
  const at = converted(torch, redirected(torch, safe, valid, dim), scalarType.int64);
  const base = withSpare(torch, opened(torch, x!, mode), axis);
  const source = opened(torch, updates!, mode);
  const joined =
    mode === "set"
      ? torch.call("scatter.src", base, axis, at, source)
      : mode === "add"
        ? torch.call("scatter_add", base, axis, at, source)
        : torch.call("scatter_reduce.two", base, axis, at, source, reductions[mode]!);
  return [closed(torch, withoutSpare(torch, joined, axis, dim), x!, mode)];
};

export const scatterKernels = { scatter, scatterAlongAxis } satisfies TorchKernels;
