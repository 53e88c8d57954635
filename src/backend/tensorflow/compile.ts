import type { Executable } from "../../core/engine.js";
import type { NDArray } from "../../core/ndarray.js";
import type { Program } from "../../core/program.js";
import { Tensor } from "../../core/tensor.js";
import { builtIn } from "./rest.js";
import { Value } from "./value.js";

/** A Program compiled for TensorFlow.js's heap, where it runs in fused passes, without copies on its way in and out. */
export function compileOnHeap(program: Program): Executable {
  const executable = builtIn.compile({ ...program, constants: program.constants.map(onArrays) });
  return {
    run: (handles) =>
      (executable.run((handles as readonly Value[]).map((value) => value.array)) as NDArray[]).map((array) =>
        Value.ofArray(array),
      ),
    dispose: () => executable.dispose(),
  };
}

/** The constant with a handle of the built-in engine. */
const onArrays = ({ id, tensor }: Program["constants"][number]): Program["constants"][number] => ({
  id,
  tensor: new Tensor((tensor.handle as Value).array, tensor, false),
});
