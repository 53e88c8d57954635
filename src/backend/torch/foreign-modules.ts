import { type DType, shrink, type TensorSpec } from "../../core/dtype.js";
import type { ForeignModule, ForeignModules, ForeignState } from "../../core/foreign-modules.js";
import { allocate, NDArray, type TypedArray } from "../../core/ndarray.js";
import { currentDevice } from "./device.js";
import { addon } from "./library.js";
import type { ScriptTensor } from "./script.js";
import { scalarType } from "./storage.js";
import { Value } from "./value.js";

const dtypes = new Map(Object.entries(scalarType).map(([dtype, number]) => [number as number, dtype as DType]));

function specOf(slot: number): TensorSpec {
  const type = addon.scalarTypeOf(slot);
  const dtype = dtypes.get(type);
  if (dtype === undefined)
    throw new TypeError(`A TorchScript tensor has libtorch's type ${type}, which has no counterpart here.`);
  return { shape: addon.shapeOf(slot), dtype: shrink(dtype) };
}
/** The tensor's value, in a dtype that tensors here have; its slot is freed. */
function taken({ name, slot, trainable }: ScriptTensor): ForeignState {
  try {
    const { shape, dtype } = specOf(slot);
    const wide = dtypes.get(addon.scalarTypeOf(slot))!;
    const storage = allocate(wide, 0).constructor as new (buffer: ArrayBuffer) => TypedArray;
    return { name, trainable, value: new NDArray(new storage(addon.toHost(slot)), shape, wide).astype(dtype) };
  } finally {
    addon.free(slot);
  }
}

/** Output specs for inputs whose sizes are all known, by running the module on zeros. */
function probe(id: number, inputs: readonly TensorSpec[]): readonly TensorSpec[] {
  const values = inputs.map(({ shape, dtype }) => Value.fromHost(NDArray.zeros(shape, dtype)));
  try {
    addon.jitSetTraining(id, false);
    const { outputs } = addon.jitForward(
      id,
      values.map(({ ref }) => ref),
    );
    const specs = outputs.map(specOf);
    outputs.forEach((slot) => addon.free(slot));
    return specs;
  } finally {
    values.forEach((value) => value.release());
  }
}

const known = new Map<string, readonly TensorSpec[]>();

/** TorchScript modules on libtorch. An unknown dimension of an output is one that changes with the unknown ones of the inputs. */
export const foreignModules: ForeignModules = {
  load(bytes): ForeignModule {
    const id = addon.jitLoad(bytes, currentDevice());
    return { id, parameters: addon.jitParameters(id).map(taken), buffers: addon.jitBuffers(id).map(taken) };
  },
  outputs(id, inputs) {
    const key = `${id} ${inputs.map(({ shape, dtype }) => `${dtype}[${shape.join()}]`).join(" ")}`;
    const found = known.get(key);
    if (found) return found;
    const sized = (size: number): readonly TensorSpec[] =>
      inputs.map(({ shape, dtype }) => ({ shape: shape.map((n) => (Number.isNaN(n) ? size : n)), dtype }));
    let specs = probe(id, sized(2));
    if (inputs.some(({ shape }) => shape.some(Number.isNaN))) {
      const others = probe(id, sized(3));
      specs = specs.map(({ shape, dtype }, i) => ({
        shape: shape.map((n, axis) => (n === others[i]!.shape[axis] ? n : NaN)),
        dtype,
      }));
    }
    known.set(key, specs);
    return specs;
  },
};
