import type { Tensor } from "../core/tensor.js";
import { multiply, unbroadcast } from "./binary.js";
import { broadcastShapes, definePrimitive, type PrimitiveFunction, sameDType } from "./define.js";

/**
 * x · y + z rounded once, of floats; the three broadcast. XLA fuses such sums on CPUs, so random numbers need it to have the same bits.
 * An engine without the fused operation may round twice.
 */
export const multiplyAdd: PrimitiveFunction<[x: Tensor, y: Tensor, z: Tensor], Tensor, object> = definePrimitive(
  {
    name: "multiplyAdd",
    infer: (inputs) => {
      const [x, y, z] = inputs.map(({ shape }) => shape);
      const product = broadcastShapes(x!, y!, "multiplyAdd");
      return [{ shape: broadcastShapes(product, z!, "multiplyAdd"), dtype: sameDType("multiplyAdd", inputs) }];
    },
    gradient: ([g], { inputs: [x, y, z], needed }) => [
      needed[0] ? unbroadcast(multiply(g!, y!), x!) : null,
      needed[1] ? unbroadcast(multiply(g!, x!), y!) : null,
      needed[2] ? unbroadcast(g!, z!) : null,
    ],
  },
  (apply, x: Tensor, y: Tensor, z: Tensor): Tensor => apply([x, y, z], {})[0]!,
);
