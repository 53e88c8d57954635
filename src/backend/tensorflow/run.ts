import type { NamedAttrMap, Tensor } from "@tensorflow/tfjs-core";
import type { TensorSpec } from "../../core/dtype.js";
import { tf } from "./library.js";
import { Value } from "./value.js";

/** Runs a kernel of TensorFlow.js by name; no gradients, no promotion, no checks. The result is owned. */
export function run(kernel: string, inputs: Readonly<Record<string, Tensor>>, attributes: object = {}): Tensor {
  return tf.engine().runKernel(kernel, inputs, attributes as NamedAttrMap) as Tensor;
}

/** The same elements under another shape: another owned reference to the same memory. */
export const reshaped = (x: Tensor, shape: readonly number[]): Tensor => run("Reshape", { x }, { shape });

/** The shape in which data has been the right operand of a kernel. */
const packedShapes = new WeakMap<object, Map<string, string>>();

/**
 * Whether `x` may be the right operand of `kernel`. The WebAssembly kernels keep weights packed by the identity of their data alone: the
 * same data under another shape would meet the packing made for the first.
 */
function mayBePacked(kernel: string, x: Tensor): boolean {
  let shapes = packedShapes.get(x.dataId);
  if (!shapes) packedShapes.set(x.dataId, (shapes = new Map()));
  const shape = x.shape.join();
  const known = shapes.get(kernel);
  if (known === undefined) shapes.set(kernel, shape);
  return known === undefined || known === shape;
}

/** Collects the tensors a kernel makes on its way and frees all but the result. */
export class Temporaries {
  readonly #made: Tensor[] = [];
  run(kernel: string, inputs: Readonly<Record<string, Tensor>>, attributes: object = {}): Tensor {
    return this.own(run(kernel, inputs, attributes));
  }
  reshape(x: Tensor, shape: readonly number[]): Tensor {
    return this.own(reshaped(x, shape));
  }
  transpose(x: Tensor, perm: readonly number[]): Tensor {
    if (perm.every((p, i) => p === i)) return x;
    return this.run("Transpose", { x }, { perm });
  }
  /** `x` under another shape, as the right operand of `kernel`: a copy where its data served in a different shape before. */
  weights(kernel: string, x: Tensor, shape: readonly number[]): Tensor {
    const seen = this.reshape(x, shape);
    return mayBePacked(kernel, seen) ? seen : this.run("Identity", { x: seen });
  }
  own(x: Tensor): Tensor {
    this.#made.push(x);
    return x;
  }
  /** Frees the others and hands `result`, one of them, over. */
  finish(result: Tensor, spec: TensorSpec): Value[] {
    const owned = reshaped(result, spec.shape);
    this.dispose();
    return [Value.ofTensor(owned, spec)];
  }
  dispose(): void {
    for (const x of this.#made) x.dispose();
    this.#made.length = 0;
  }
}

/** Calls `make` with a collector that is emptied however it ends. */
export function withTemporaries(spec: TensorSpec, make: (tmp: Temporaries) => Tensor): Value[] {
  const tmp = new Temporaries();
  try {
    return tmp.finish(make(tmp), spec);
  } finally {
    tmp.dispose();
  }
}
