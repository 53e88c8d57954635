import type { TensorSpec } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { unbroadcast } from "./binary.js";
import { full } from "./create.js";
import { broadcastShapes, definePrimitive, flat, type PrimitiveFunction, sameDType } from "./define.js";

type Comparison = PrimitiveFunction<[x: Tensor, y: Tensor], Tensor, object>;

function comparison(name: string): Comparison {
  return definePrimitive(
    {
      name,
      infer: (inputs) => {
        sameDType(name, inputs);
        return [{ shape: broadcastShapes(inputs[0]!.shape, inputs[1]!.shape, name), dtype: "bool" }];
      },
      gradient: flat,
    },
    (apply, x: Tensor, y: Tensor) => apply([x, y], {})[0]!,
  );
}
export const equal = comparison("equal");
export const notEqual = comparison("notEqual");
export const less = comparison("less");
export const lessEqual = comparison("lessEqual");
export const greater = comparison("greater");
export const greaterEqual = comparison("greaterEqual");
/** Of bool tensors. */
export const logicalAnd = comparison("logicalAnd");
export const logicalOr = comparison("logicalOr");
export const logicalXor = comparison("logicalXor");

/** `x` where the bool tensor `condition` holds, else `y`; the three broadcast. */
export const select: PrimitiveFunction<[condition: Tensor, x: Tensor, y: Tensor], Tensor, object> = definePrimitive(
  {
    name: "select",
    infer: ([condition, x, y]: readonly TensorSpec[]) => {
      if (condition!.dtype !== "bool")
        throw new TypeError(`select: the condition must be bool. Received: ${condition!.dtype}.`);
      const dtype = sameDType("select", [x!, y!]);
      return [
        { shape: broadcastShapes(broadcastShapes(condition!.shape, x!.shape, "select"), y!.shape, "select"), dtype },
      ];
    },
    gradient: ([g], { inputs: [condition, x, y], needed }) => {
      const zero = full([], 0, g!.dtype);
      return [
        null,
        needed[1] ? unbroadcast(select(condition!, g!, zero), x!) : null,
        needed[2] ? unbroadcast(select(condition!, zero, g!), y!) : null,
      ];
    },
  },
  (apply, condition: Tensor, x: Tensor, y: Tensor): Tensor => apply([condition, x, y], {})[0]!,
);
