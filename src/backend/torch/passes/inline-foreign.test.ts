import { expect, it, vi } from "vitest";
import type { CompositeAttributes } from "../../../core/program.js";
import { ProgramWriter } from "../../program-writer.testing.js";
import { inlineForeign } from "./inline-foreign.js";

vi.mock("../library.js", () => ({
  addon: { hasOp: () => true, opId: () => 0, argumentKinds: () => ["Tensor", "int", "bool"] },
}));

/** What a call of a composite on a matrix becomes; its body is one `exp`. */
function inlined(name: string, attributes: object, dtype: "float32" | "float16" = "float32"): string[] {
  const body = new ProgramWriter();
  const call: CompositeAttributes = {
    name,
    attributes,
    body: body.finish(body.op("exp", [body.input([2, 3], dtype)], [2, 3], {}, dtype)),
  };
  const w = new ProgramWriter();
  const y = w.op("composite", [w.input([2, 3], dtype)], [2, 3], call, dtype);
  return inlineForeign(w.finish(y)).instructions.map(({ op }) => op);
}

it("inlineForeign keeps composites that ATen has an op for, where it takes what they are called with", () => {
  for (const name of ["nn.Softmax", "nn.LogSoftmax"]) {
    expect(inlined(name, { args: [null, { axis: -1 }] })).toEqual(["composite"]);
    expect(inlined(name, { args: [null, { axis: [0, 1] }] }), "several axes").toEqual(["exp"]);
    expect(inlined(name, { args: [null] }, "float16"), "float16").toEqual(["exp"]);
  }
});

it("inlineForeign replaces others by their bodies, names of objects' own methods among them", () => {
  for (const name of ["nn.Gelu", "toString", "constructor"]) expect(inlined(name, { args: [] })).toEqual(["exp"]);
});
