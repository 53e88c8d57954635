import { describe, expect, it } from "vitest";
import "../backend/index.js";
import "../ops/operators.js";
import { clip, multiply } from "../ops/arithmetic.js";
import { relu, softmax } from "../ops/activation.js";
import { concatenate, reshape } from "../ops/shape.js";
import { vectorJacobianProduct } from "./gradient.js";
import { KerasTensor } from "./keras-tensor.js";
import type { OpOperation } from "./op.js";
import { findOp } from "./op.js";
import { isComposite } from "./program.js";
import { tensor } from "./tensor.js";
import { trace } from "./trace.js";

const symbolic = (shape: readonly (number | null)[]): KerasTensor => new KerasTensor(shape);

describe("on symbolic tensors an op", () => {
  it("infers shapes with unknown dimensions", () => {
    expect(multiply(symbolic([null, 3]), symbolic([4, 1])).shape).toEqual([4, 3]);
    expect(softmax(symbolic([null, 10])).shape).toEqual([null, 10]);
    expect(concatenate([symbolic([null, 3]), symbolic([null, 2])], { axis: 1 }).shape).toEqual([null, 5]);
    expect(reshape(symbolic([null, 4, 2]), [-1, 8]).shape).toEqual([null, 8]);
  });
  it("records a node that remembers how Keras saves it", () => {
    const x = symbolic([2, 3]);
    const y = clip(x, 0, 6) as unknown as KerasTensor;
    const operation = y.history!.operation as OpOperation;
    expect(operation.op.opName).toBe("numpy.Clip");
    expect(operation.inboundNodes[0]!.inputs).toEqual([x]);
    expect(operation.configOf([x, 0, 6])).toEqual({ name: operation.name, x_min: 0, x_max: 6 });
    expect(findOp("numpy.Clip")).toBe(clip);
  });
  it("complains about shapes that do not fit", () => {
    expect(() => multiply(symbolic([2, 3]), symbolic([4]))).toThrow("do not broadcast");
  });
});

describe("a composite op", () => {
  it("is one instruction of a Program, with its body", () => {
    const program = trace((x) => [softmax(x!, { axis: 1 })], [{ shape: [2, 3], dtype: "float32" }]);
    expect(program.instructions.length).toBe(1);
    const [call] = program.instructions;
    expect(isComposite(call!) && [call.attributes.name, call.attributes.body.instructions.length > 3]).toEqual([
      "nn.Softmax",
      true,
    ]);
  });
  it("uses its own gradient: relu's is 0 at 0", async () => {
    const x = tensor([-1.5, 0, 2]);
    const { gradients } = vectorJacobianProduct(
      () => [relu(x)],
      [x],
      () => [tensor([1.5, 1, 1])],
    );
    expect(await gradients[0]!.array()).toEqual([0, 0, 1]);
  });
});
