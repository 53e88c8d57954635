import type { TensorSpec } from "../../core/dtype.js";
import { sizeOf } from "../../core/ndarray.js";
import type { CompositeAttributes } from "../../core/program.js";
import type { CompositeOptions } from "../../core/op.js";
import { currentDevice } from "./device.js";
import { type ChainAttributes, chainName } from "./fuse/chain-name.js";
import { takes } from "./recorder.js";
import type { Kernel } from "./torch.js";

const axisOf = ({ args, ...options }: CompositeOptions, rank: number): number | null => {
  const { axis = -1 } = { ...(args[1] as object | null), ...options } as { axis?: unknown };
  return typeof axis === "number" ? (axis < 0 ? axis + rank : axis) : null;
};
/** Widest rows of a softmax that this package's own op takes, and elements up to which one thread is enough. */
const WIDEST = 64;
const LARGEST = 1 << 15;

const alongAxis =
  (op: string, logarithm: boolean): Kernel<CompositeOptions> =>
  (torch, [x], options) => {
    const { shape, dtype, ref } = x!;
    const axis = axisOf(options, shape.length);
    if (dtype !== "float32" || axis === null || shape.length === 0) return null;
    const isSmall = axis === shape.length - 1 && shape[axis]! <= WIDEST && sizeOf(shape) <= LARGEST;
    if (isSmall && sizeOf(shape) > 0 && currentDevice() === "cpu")
      return [torch.call("keras::softmax", ref, logarithm)];
    return [torch.call(op, ref, axis, false)];
  };

/** A fused chain, from the code that `passes/fuse.ts` wrote for it. */
const chain: Kernel<CompositeOptions> = (torch, inputs, attributes, outputs) => {
  const { code } = attributes as unknown as ChainAttributes;
  const refs = inputs.map(({ ref }) => ref);
  return torch.callMany("keras::chain", outputs.length, refs, code);
};

/** Composite ops that ATen has one op for. */
const composites: Readonly<Record<string, Kernel<CompositeOptions>>> = {
  "nn.Softmax": alongAxis("_softmax", false),
  "nn.LogSoftmax": alongAxis("_log_softmax", true),
  [chainName]: chain,
};

/** The kernel of a composite op; undefined where there is none. */
export const compositeKernel = (name: string): Kernel<CompositeOptions> | undefined =>
  Object.hasOwn(composites, name) ? composites[name] : undefined;

/** Whether the engine's own version of a composite takes these operands. */
export function takesComposite({ name, attributes, body }: CompositeAttributes): boolean {
  const kernel = compositeKernel(name);
  if (!kernel) return false;
  const specs = (ids: readonly number[]): TensorSpec[] => ids.map((id) => body.values[id]!);
  return takes(kernel as Kernel, specs(body.inputs), attributes, specs(body.outputs));
}
