import type { TensorSpec } from "../../core/dtype.js";
import type { Kernel, Kernels } from "../backend.js";
import { builtInRunner } from "../run-built-in.js";
import { builtIn } from "./rest.js";
import { contractionKernels } from "./contraction.js";
import { control } from "./control.js";
import { convolutionKernels } from "./convolution.js";
import { elementwiseKernels } from "./elementwise.js";
import { tfjsHeap } from "./heap.js";
import { movementKernels } from "./movement.js";
import type { NativeKernel, NativeKernels } from "./native.js";
import { Value } from "./value.js";

const light: NativeKernels = { ...elementwiseKernels, ...movementKernels };
/** Work that the built-in engine does in half the time, and sums more exactly, where it has TensorFlow.js's heap to do it on. */
const heavy: NativeKernels = { ...contractionKernels, ...convolutionKernels };

type AnyKernel = Kernel<Value, object>;

/** Runs a primitive on the built-in engine. */
const runBuiltIn = builtInRunner(builtIn, Value.ofArray);

const isScalar = (inputs: readonly Value[], [spec]: readonly TensorSpec[]): boolean =>
  spec?.shape.length === 0 && inputs.every((x) => x.size === 1 && !x.isTensor);

function kernelOf(primitive: string): AnyKernel {
  const fallback: AnyKernel = (...args) => runBuiltIn(primitive, ...args);
  const own = ({ ...light, ...heavy } as Readonly<Record<string, NativeKernel<object> | undefined>>)[primitive];
  if (!own) return fallback;
  const isHeavy = Object.hasOwn(heavy, primitive);
  return (inputs, attributes, outputs) => {
    const isLeft = isScalar(inputs, outputs) || (isHeavy && tfjsHeap() !== null);
    return (isLeft ? null : own(inputs, attributes, outputs)) ?? fallback(inputs, attributes, outputs);
  };
}

/** Every primitive: TensorFlow.js's kernel where it has a right and fast one for the arguments, else the built-in engine's. */
export const kernels: Kernels<Value> = {
  ...(Object.fromEntries(
    Object.keys(builtIn.kernels).map((name) => [name, kernelOf(name)]),
  ) as unknown as Kernels<Value>),
  ...control.kernels,
};

/** The kernel of a primitive; throws when there is none. */
export function kernelNamed(primitive: string): AnyKernel {
  const kernel = (kernels as unknown as Readonly<Record<string, AnyKernel | undefined>>)[primitive];
  if (!kernel) throw new Error(`The tensorflow engine has no kernel for "${primitive}".`);
  return kernel;
}
