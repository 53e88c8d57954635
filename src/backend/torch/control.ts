import type { TensorSpec } from "../../core/dtype.js";
import { ControlFlow, type Stack } from "../control-flow.js";
import { addon } from "./library.js";
import { findOp } from "./op-table.js";
import { storedAs } from "./storage.js";
import type { Ref } from "./torch.js";
import { Value } from "./value.js";

/** Keeps the slices until they are copied into one tensor. */
function stack(spec: TensorSpec): Stack<Value> {
  const slices = new Array<Value>(spec.shape[0]!);
  return {
    put: (i, x) => void (slices[i] = x.retain()),
    finish() {
      const refs = slices.map((x) => x.ref);
      const slot =
        refs.length > 0
          ? addon.call(findOp("stack").id, refs, 0)
          : addon.call(findOp("empty.memory_format").id, spec.shape, storedAs(spec.dtype));
      for (const x of slices) x.release();
      return Value.ofSlot(slot as Ref, spec);
    },
  };
}

/** Control flow over compiled bodies: ATen has none. Slices are views. */
export const control = new ControlFlow<Value>({
  retain: (x) => x.retain(),
  release: (x) => x.release(),
  host: (x) => x.toHost(),
  slice: (x, i) =>
    Value.ofSlot(addon.call(findOp("select.int").id, x.ref, 0, i) as Ref, { shape: x.shape.slice(1), dtype: x.dtype }),
  stack,
});
