import type { Executable } from "../../../core/engine.js";
import { allocate, NDArray, sizeOf } from "../../../core/ndarray.js";
import type { Program } from "../../../core/program.js";
import type { Kernels } from "../../backend.js";
import { HeapArray, shareArray } from "../heap-array.js";
import type { Kernels as WasmKernels } from "../wasm/index.js";
import { withArena } from "./arena.js";
import { HeapInputs } from "./heap-inputs.js";
import type { Lowerings } from "./lower.js";
import { Plan, type Result } from "./plan.js";
import { simplify } from "./simplify.js";

export type { Lowerings };

/** Compiles a Program for the WebAssembly heap: fused chains, products and steps over one arena. Results are heap arrays. */
export function compileForHeap(
  program: Program,
  kernels: Kernels<NDArray>,
  wasm: WasmKernels,
  lowerings: Lowerings = {},
): Executable {
  const simplified = simplify(program, kernels);
  const plan = new Plan(simplified, kernels, wasm, lowerings);
  const specs = simplified.outputs.map((id) => simplified.values[id]!);
  const owners = plan.written.map((_, slot) => plan.results.findIndex((r) => r.kind === "written" && r.slot === slot));
  const inputs = new HeapInputs(wasm, simplified.inputs.length);
  const outputs = new Float64Array(plan.written.length);

  return {
    run(handles) {
      const arrays = handles as readonly NDArray[];
      const made: HeapArray[] = [];
      const addresses = inputs.enter(arrays);
      try {
        owners.forEach((result, slot) => {
          const { shape, dtype } = specs[result]!;
          const array = HeapArray.allocate(wasm.heap, shape, dtype);
          made.push(array);
          outputs[slot] = array.ptr;
        });
        withArena(wasm, plan.arenaBytes, (base) => plan.execute(base, addresses, outputs));
      } catch (error) {
        for (const array of made) array.release();
        throw error;
      } finally {
        inputs.leave();
      }
      return plan.results.map((result, i) => finish(result, i, arrays, made));
    },
    dispose: () => plan.dispose(),
  };

  function finish(result: Result, i: number, arrays: readonly NDArray[], made: readonly HeapArray[]): NDArray {
    const { shape, dtype } = specs[i]!;
    switch (result.kind) {
      case "written":
        return owners[result.slot] === i ? made[result.slot]! : made[result.slot]!.retain(shape);
      case "input":
        return reshaped(arrays[result.index]!, shape);
      case "constant":
        return reshaped(result.array, shape);
      case "splat": {
        const { data } = NDArray.from([result.splat.splat], dtype);
        const filled = allocate(dtype, sizeOf(shape));
        (filled as Float32Array).fill(data[0] as number);
        return new NDArray(filled, shape, dtype);
      }
    }
  }
}

/** An owned reference to the elements of a borrowed array. */
const reshaped = (x: NDArray, shape: readonly number[]): NDArray =>
  x instanceof HeapArray ? x.retain(shape) : shareArray(x).reshape(shape);
