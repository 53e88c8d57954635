import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { noSlot, tags } from "../../src/backend/torch/addon.js";
import { itRequires, missing, runPython } from "../support/require.js";
import { compile, tensor, torchAddon, valuesOf } from "../support/torch-addon.js";

const it = (name: string, fn: () => void | Promise<void>): void => itRequires(["libtorch", "torch"], name, fn);

/** What Python's torch gives for the module in training mode, for the input and the output's gradient below. */
interface Expected {
  readonly output: readonly number[];
  readonly inputGradient: readonly number[];
  readonly names: readonly string[];
  readonly parameters: readonly (readonly number[])[];
  readonly gradients: readonly (readonly number[])[];
  readonly runningMean: readonly number[];
}

const code = `
import json, sys, torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Dropout(0.5), nn.Linear(4, 2)).train()
torch.jit.save(torch.jit.script(model), sys.argv[1] + "/model.pt")
model[3].p = 0.0
torch.jit.save(torch.jit.script(model), sys.argv[1] + "/plain.pt")
several = torch.jit.ScriptModule()
several.define("""
def forward(self, x: Tensor, scale: float, y: Tensor):
    return {"product": (x * scale, [y + 1, x])}
""")
torch.jit.save(several, sys.argv[1] + "/several.pt")
x = torch.arange(6, dtype=torch.float32).reshape(2, 3).requires_grad_()
output = model(x)
output.backward(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
flat = lambda t: t.detach().flatten().tolist()
print(json.dumps({"output": flat(output), "inputGradient": flat(x.grad), "names": [n for n, _ in model.named_parameters()],
  "parameters": [flat(p) for p in model.parameters()], "gradients": [flat(p.grad) for p in model.parameters()],
  "runningMean": flat(model[1].running_mean)}))
`;

let folder: string;
let expected: Expected;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "keras-script-"));
  if (missing("torch") === null) expected = JSON.parse(await runPython(code, { args: [folder] })) as Expected;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const input = (): number => tensor([0, 1, 2, 3, 4, 5], [2, 3]);
const outputGradient = (): number => tensor([1, 2, 3, 4], [2, 2]);
function close(slot: number, wanted: readonly number[]): void {
  const values = valuesOf(slot);
  expect(values.length).toBe(wanted.length);
  values.forEach((value, i) => expect(Math.abs(value - wanted[i]!)).toBeLessThan(1e-5));
}

it("reads a module from a file or from bytes and lists its parameters by name", () => {
  const addon = torchAddon();
  const file = path.join(folder, "plain.pt");
  for (const module of [addon.jitLoad(file, "cpu"), addon.jitLoad(readFileSync(file), "cpu")]) {
    const parameters = addon.jitParameters(module);
    expect(parameters.map(({ name }) => name)).toEqual(expected.names);
    parameters.forEach(({ slot, trainable }, i) => {
      close(slot, expected.parameters[i]!);
      expect(trainable).toBe(true);
    });
    expect(addon.jitBuffers(module).map(({ name }) => name)).toContain("1.running_mean");
    addon.jitDispose(module);
    expect(() => addon.jitParameters(module)).toThrow("There is no TorchScript module");
  }
  expect(() => addon.jitLoad(path.join(folder, "none.pt"), "cpu")).toThrow("cannot be read");
  expect(() => addon.jitLoad(Uint8Array.of(1, 2, 3), "cpu")).toThrow();
});

it("gives Python's outputs and gradients, and keeps running statistics", () => {
  const addon = torchAddon();
  const module = addon.jitLoad(path.join(folder, "plain.pt"), "cpu");
  addon.jitSetTraining(module, true);
  const { outputs, structure, record } = addon.jitForward(module, [input()], true);
  expect(structure).toBe(0);
  close(outputs[0]!, expected.output);
  const gradients = addon.jitBackward(record, [outputGradient()]);
  close(gradients.inputs[0]!, expected.inputGradient);
  gradients.parameters.forEach((slot, i) => close(slot, expected.gradients[i]!));
  const mean = addon.jitBuffers(module).find(({ name }) => name === "1.running_mean")!;
  close(mean.slot, expected.runningMean);
  expect(() => addon.jitBackward(record, [outputGradient()])).toThrow("There is no such record");
});

it("computes with parameters that are given, and sees what is written into its own", () => {
  const addon = torchAddon();
  const module = addon.jitLoad(path.join(folder, "plain.pt"), "cpu");
  addon.jitSetTraining(module, false);
  const parameters = addon.jitParameters(module);
  const bias = parameters[expected.names.indexOf("4.bias")]!;
  const run = (): number[] => valuesOf(addon.jitForward(module, [input()]).outputs[0]!);
  const before = run();
  addon.call(addon.opId("aten::add_", "Scalar"), bias.slot, 10);
  const shifted = before.map((value) => value + 10);
  run().forEach((value, i) => expect(value).toBeCloseTo(shifted[i]!, 4));
  const zeros = parameters.map(({ slot }) => addon.call(addon.opId("aten::zeros_like", ""), slot) as number);
  addon.jitSetParameters(module, zeros);
  expect(run()).toEqual([0, 0, 0, 0]);
  expect(() => addon.jitSetParameters(module, zeros.slice(1))).toThrow("The module has 6 parameters. Received: 5.");
  expect(() => addon.jitSetParameters(module, [...zeros].reverse())).toThrow("has another shape or dtype");
});

it("takes arguments by the schema of forward and gives nested outputs", () => {
  const addon = torchAddon();
  const module = addon.jitLoad(path.join(folder, "several.pt"), "cpu");
  const x = tensor([1, 2]);
  const { outputs, structure, record } = addon.jitForward(module, [x, 3, tensor([5])], true);
  expect(structure).toEqual({ product: [0, [1, 2]] });
  expect(outputs.map(valuesOf)).toEqual([[3, 6], [6], [1, 2]]);
  const { inputs, parameters } = addon.jitBackward(record, [tensor([1, 1]), null, tensor([1, 1])]);
  expect(valuesOf(inputs[0]!)).toEqual([4, 4]);
  expect(inputs[1]).toBe(noSlot);
  expect(parameters).toEqual([]);
  expect(() => addon.jitForward(module, [x])).toThrow('Argument "scale" is missing');
  expect(() => addon.jitForward(module, [x, 1, x, x])).toThrow("takes 3 inputs. Received: 4.");
});

it("is an op of programs, with a gradient that repeats the draws of forward", async () => {
  const addon = torchAddon();
  const module = addon.jitLoad(path.join(folder, "model.pt"), "cpu");
  const parameters = addon.jitParameters(module).map(({ slot }) => slot);
  const registers = parameters.map((_, i) => i + 2);
  const list = [tags.tensors, registers.length, ...registers];
  const key = 2 + registers.length;
  const call = (name: string, ...middle: readonly number[]): number[] => [
    ...[addon.opId(`keras::${name}`, ""), middle.length > 0 ? 7 : 6, tags.int, module, ...list],
    ...[tags.tensors, 0, tags.tensors, 1, 0, ...middle, tags.bool, 1, tags.tensor, key],
  ];
  const results = parameters.map((_, i) => 20 + i);
  const code = [
    ...[...call("script_forward"), 1, 10],
    ...[...call("script_forward"), 1, 11],
    ...[...call("script_backward", tags.optionalTensors, 1, 1), 1 + results.length, 12, ...results],
  ];
  const program = compile(code, [0, 1, ...registers, key], [10, 11, 12, ...results], 40);
  const values = [input(), outputGradient(), ...parameters, tensor([7])];
  for (const outputs of [addon.run(program, values), await addon.runAsync(program, values)]) {
    expect(valuesOf(outputs[0]!)).toEqual(valuesOf(outputs[1]!));
    const bias = outputs.at(-1)!;
    expect(valuesOf(bias)).toEqual([4, 6]);
    expect(addon.shapeOf(outputs[2]!)).toEqual([2, 3]);
    expect(valuesOf(outputs[3]!).some((value) => value !== 0)).toBe(true);
  }
});
