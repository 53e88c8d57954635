import { KerasTensor, type SymbolicShape } from "../../core/keras-tensor.js";
import { Tensor } from "../../core/tensor.js";
import type { ShapeStructure } from "./state.js";

/** The shape of a tensor of either kind, with null for unknown dimensions. */
export const symbolicShapeOf = (x: Tensor | KerasTensor): SymbolicShape =>
  x.shape.some(Number.isNaN) ? x.shape.map((dim) => (Number.isNaN(dim) ? null : dim)) : x.shape;

/** The shapes of the tensors in an argument, in its structure; undefined when anything but tensors and null is among them. */
export function shapesOf(value: unknown): ShapeStructure {
  if (value instanceof Tensor || value instanceof KerasTensor) return symbolicShapeOf(value);
  if (Array.isArray(value)) {
    const shapes = value.map((item) => (item === null ? null : shapesOf(item)));
    return shapes.some((shape) => shape === undefined) ? undefined : (shapes as ShapeStructure[]);
  }
  if (isPlainObject(value)) {
    const shapes = Object.entries(value).map(([key, item]) => [key, item === null ? null : shapesOf(item)] as const);
    return shapes.some(([, shape]) => shape === undefined) ? undefined : (Object.fromEntries(shapes) as ShapeStructure);
  }
  return undefined;
}

/** Whether `value` is an array of dimensions. */
export const isShape = (value: unknown): value is SymbolicShape =>
  Array.isArray(value) && value.every((dim) => dim === null || typeof dim === "number");

/** A shape as messages show it. */
export const showShape = (shape: SymbolicShape): string =>
  `[${shape.map((dim) => (dim === null || Number.isNaN(dim) ? "null" : String(dim))).join(", ")}]`;

export const isPlainObject = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
