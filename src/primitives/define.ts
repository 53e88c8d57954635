import { bind, type GradientRule, type Primitive } from "../core/primitive.js";
import type { DType, Shape, TensorSpec } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";

/** A primitive as a function of tensors, carrying its declaration. */
export interface PrimitiveFunction<Args extends readonly unknown[], R, A extends object> {
  (...args: Args): R;
  readonly primitive: Primitive<A>;
}

/** Declares a primitive and how its function maps arguments to inputs and attributes. */
export function definePrimitive<Args extends readonly unknown[], R, A extends object>(
  declaration: Primitive<A>,
  call: (apply: (inputs: readonly Tensor[], attributes: A) => readonly Tensor[], ...args: Args) => R,
): PrimitiveFunction<Args, R, A> {
  const apply = (inputs: readonly Tensor[], attributes: A): readonly Tensor[] => bind(declaration, inputs, attributes);
  return Object.assign((...args: Args): R => call(apply, ...args), { primitive: declaration });
}

/** A primitive of one tensor and attributes, with one result. */
export function unaryPrimitive<A extends object>(
  name: string,
  infer: (x: TensorSpec, attributes: A) => TensorSpec,
  gradient: ((g: Tensor, x: Tensor, y: Tensor, attributes: A) => Tensor | null) | null,
): PrimitiveFunction<[x: Tensor, attributes: A], Tensor, A> {
  return definePrimitive(
    {
      name,
      infer: ([x], attributes) => [infer(x!, attributes)],
      gradient: gradient && (([g], { inputs: [x], outputs: [y], attributes }) => [gradient(g!, x!, y!, attributes)]),
    },
    (apply, x: Tensor, attributes: A) => apply([x], attributes)[0]!,
  );
}

/** The gradient of an op whose result does not change with its input. */
export const flat: GradientRule<object> = (_, { inputs }) => inputs.map(() => null);

const show = (shape: Shape): string => `[${shape.map((d) => (Number.isNaN(d) ? "null" : d)).join(", ")}]`;

/** The shape two operands broadcast to, by NumPy's rule; NaN is an unknown dimension. */
export function broadcastShapes(a: Shape, b: Shape, name = "broadcast"): Shape {
  const rank = Math.max(a.length, b.length);
  const shape = new Array<number>(rank);
  for (let i = 0; i < rank; i++) {
    const p = i < rank - a.length ? 1 : a[i - rank + a.length]!;
    const q = i < rank - b.length ? 1 : b[i - rank + b.length]!;
    if (p === q || q === 1) shape[i] = p;
    else if (p === 1 || Number.isNaN(p)) shape[i] = q;
    else if (Number.isNaN(q)) shape[i] = p;
    else
      throw new RangeError(
        `${name}: shapes ${show(a)} and ${show(b)} do not broadcast. Dimensions must be equal or 1.`,
      );
  }
  return shape;
}

/** Throws unless all inputs have the same dtype, which the ops in front see to. */
export function sameDType(name: string, inputs: readonly TensorSpec[]): DType {
  const { dtype } = inputs[0]!;
  for (const x of inputs)
    if (x.dtype !== dtype)
      throw new TypeError(
        `${name}: expected tensors of one dtype. Received: ${inputs.map((i) => i.dtype).join(", ")}.`,
      );
  return dtype;
}

export { show as showShape };
