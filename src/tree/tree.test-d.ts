import { flatten, mapStructure, mapStructures, packSequenceAs } from "./index.js";

declare class Tensor {
  shape: readonly number[];
}
declare const tensor: Tensor;

export const one: string = mapStructure((x: Tensor) => String(x.shape), tensor);
export const many: string[] = mapStructure((x: Tensor) => String(x.shape), [tensor, tensor]);
export const dict: { a: number; b: number[] } = mapStructure((x: Tensor) => x.shape.length, { a: tensor, b: [tensor] });
export const map: Map<string, number> = mapStructures((x: Tensor) => x.shape.length, [new Map([["a", tensor]])]);
export const leaves: Tensor[] = flatten<Tensor>([tensor, { a: tensor }]);
packSequenceAs([0], [1]);
// @ts-expect-error a leaf becomes what the function returns
export const wrong: number = mapStructure((x: Tensor) => String(x.shape), tensor);
// @ts-expect-error an array stays one
export const flat: string = mapStructure((x: Tensor) => String(x.shape), [tensor]);
// @ts-expect-error leaves have to be of the type
flatten<Tensor>([tensor, 1]);
