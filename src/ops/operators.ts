import { type IndexEntry, Operand } from "../core/operand.js";
import type { TensorLike } from "../core/tensor.js";
import { abs, add, divide, floorDivide, mod, multiply, negative, power, subtract } from "./arithmetic.js";
import { cast } from "./elementwise.js";
import { getItem } from "./get-item.js";
import {
  equal,
  greater,
  greaterEqual,
  less,
  lessEqual,
  logicalAnd,
  logicalNot,
  logicalOr,
  logicalXor,
  notEqual,
} from "./logic.js";
import { matmul } from "./matmul.js";
import { reshape } from "./shape.js";

/** Gives operands the arithmetic that Python Keras overloads: the one place where ops reaches into core. */
const binary = {
  add,
  sub: subtract,
  mul: multiply,
  div: divide,
  floorDiv: floorDivide,
  mod,
  pow: power,
  matmul,
  equal,
  notEqual,
  less,
  lessEqual,
  greater,
  greaterEqual,
  and: logicalAnd,
  or: logicalOr,
  xor: logicalXor,
};
const unary = { neg: negative, abs, not: logicalNot };

function install(name: string, value: (this: Operand, ...args: never[]) => unknown): void {
  Object.defineProperty(Operand.prototype, name, { value, configurable: true, writable: true });
}
for (const [name, op] of Object.entries(binary)) {
  install(name, function (this: Operand, y: TensorLike) {
    return op(this, y);
  });
}
for (const [name, op] of Object.entries(unary)) {
  install(name, function (this: Operand) {
    return op(this);
  });
}
install("cast", function (this: Operand, dtype: string) {
  return cast(this, dtype);
});
install("reshape", function (this: Operand, shape: readonly number[]) {
  return reshape(this, shape);
});
install("slice", function (this: Operand, ...index: readonly IndexEntry[]) {
  return getItem(this, index);
});
