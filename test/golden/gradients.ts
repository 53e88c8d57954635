import { vectorJacobianProduct } from "../../src/core/gradient.js";
import { NDArray } from "../../src/core/ndarray.js";
import { fromHost, Tensor, tensor } from "../../src/core/tensor.js";
import { flatten, packSequenceAs } from "../../src/tree/index.js";
import type { Arrays } from "./cases.js";
import { compareArrays, Mismatch } from "./compare.js";
import { decodeArray } from "./decode.js";
import type { DecodedCall } from "./kinds/kind.js";

type Tagged = Record<string, unknown>;
interface Recorded {
  readonly leaf: number;
  readonly value: unknown;
}

/** The fixed weights of the recorder: it differentiates the sum of outputs times these. */
const cotangent = (y: Tensor): Tensor =>
  tensor(
    new NDArray(
      Float32Array.from({ length: y.size }, (_, i) => 1 + ((i * 7919) % 13) / 13),
      y.shape,
      "float32",
    ),
  );

/** Compares gradients with respect to the recorded leaves of the arguments, and to `weights` (with `weightGradients`). */
export async function checkGradients(
  { args, kwargs }: DecodedCall,
  call: (given: DecodedCall) => unknown,
  leaves: readonly Recorded[],
  arrays: Arrays,
  weights: readonly Tensor[] = [],
  weightGradients: readonly unknown[] = [],
): Promise<void> {
  const structure = [args, kwargs];
  const flat: unknown[] = flatten<unknown>(structure);
  const inputs = leaves.map(({ leaf }) => {
    const x = flat[leaf];
    if (x instanceof NDArray) return fromHost(x);
    if (x instanceof Tensor) return x;
    throw new Mismatch(`grads: leaf ${leaf} is no array`);
  });
  leaves.forEach(({ leaf }, i) => (flat[leaf] = inputs[i]));
  const [a, k] = packSequenceAs(structure, flat) as unknown as [unknown[], Record<string, unknown>];
  const outputs = (): Tensor[] =>
    flatten<unknown>(call({ args: a, kwargs: k })).filter(
      (y): y is Tensor => y instanceof Tensor && y.dtype === "float32",
    );
  const wrt = [...inputs, ...weights];
  const { gradients } = vectorJacobianProduct(outputs, wrt, (ys) => ys.map(cotangent));
  const expected = [...leaves.map(({ value }) => value), ...weightGradients];
  for (const [i, x] of wrt.entries()) {
    const wanted = await decodeArray(expected[i] as Tagged, arrays);
    const actual = gradients[i] ? await gradients[i].data() : NDArray.zeros(x.shape, x.dtype);
    const what = i < leaves.length ? `gradient of leaf ${leaves[i]!.leaf}` : `gradient of weight ${i - leaves.length}`;
    compareArrays(actual, wanted, what);
  }
}
