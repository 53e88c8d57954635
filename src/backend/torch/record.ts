import type { TensorSpec } from "../../core/dtype.js";
import { sizeOf } from "../../core/ndarray.js";
import type { CompositeAttributes, Instruction, Program, ValueId } from "../../core/program.js";
import { compositeKernel } from "./composites.js";
import { kernelOf } from "./kernels/index.js";
import type { ScanAttributes } from "../../primitives/index.js";
import { encode, Recorder, takes } from "./recorder.js";
import { constantOf, runPrimitive } from "./run-primitive.js";
import type { Kernel, Operand, Ref } from "./torch.js";
import type { Value } from "./value.js";

/** The kernel that writes an instruction down, and the attributes it takes. */
function kernelFor({ op, attributes }: Instruction): readonly [Kernel | undefined, object] {
  if (op !== "composite") return [kernelOf(op), attributes];
  const { name, attributes: own } = attributes as CompositeAttributes;
  return [compositeKernel(name) as Kernel | undefined, own];
}
const specsOf = (program: Program, ids: readonly ValueId[]): TensorSpec[] => ids.map((id) => program.values[id]!);

/** Whether an instruction can be written down in ATen ops. */
export function isNative(program: Program, instruction: Instruction): boolean {
  if (instruction.op === "scan") return isNativeScan(instruction.attributes as ScanAttributes);
  const [kernel, attributes] = kernelFor(instruction);
  if (!kernel) return false;
  return takes(kernel, specsOf(program, instruction.inputs), attributes, specsOf(program, instruction.outputs));
}

/** Whether a loop can be: its body was made ready, and can be itself. */
const isNativeScan = ({ body, length }: ScanAttributes): boolean =>
  length > 0 && body.constants.length === 0 && body.instructions.every((instruction) => isNative(body, instruction));

/** A value that stays the same in all runs, by its register. */
export type Constant = readonly [register: Ref, value: Value];
/** Instructions written down, ready to become a program of the addon's. */
export interface Part {
  readonly recorder: Recorder;
  readonly inputs: readonly Ref[];
  readonly outputs: readonly Ref[];
  readonly constants: readonly Constant[];
  /** Values made for this part, which it owns. */
  readonly made: readonly Value[];
}

const noConstants: ReadonlyMap<ValueId, Value> = new Map();
/** Writes a loop down whose body is written down: the body's constants are its last inputs. */
function callScan(
  recorder: Recorder,
  tensors: readonly Ref[],
  body: Part,
  { carries, sequences, length, reverse, keepCarries }: ScanAttributes,
  count: number,
): readonly Ref[] {
  const inputs = [...body.inputs, ...body.constants.map(([register]) => register)];
  const layout = [
    ...[carries, sequences, length, Number(reverse), Number(keepCarries), body.recorder.registers],
    ...[inputs.length, ...inputs],
    ...[body.outputs.length, ...body.outputs],
  ];
  return recorder.callMany("keras::scan", count, tensors, [...encode(body.recorder.calls)], layout);
}

/** Writes instructions down that read `reads` and `constants` and leave `writes`. */
export function record(
  program: Program,
  instructions: readonly Instruction[],
  reads: readonly ValueId[],
  writes: readonly ValueId[],
  constants: ReadonlyMap<ValueId, Value>,
): Part {
  const recorder = new Recorder();
  const operands = new Map<ValueId, Operand>();
  const kept: Constant[] = [];
  const made: Value[] = [];
  const inputs = reads.map((id) => {
    const ref = recorder.register();
    operands.set(id, { ...program.values[id]!, ref, constant: null });
    return ref;
  });
  const keep = (value: Value): Operand => {
    const ref = recorder.register();
    kept.push([ref, value]);
    return { shape: value.shape, dtype: value.dtype, ref, constant: value.constant };
  };
  const scalars = new Map<string, Operand>();
  const operand = (id: ValueId): Operand => {
    let found = operands.get(id);
    if (!found) operands.set(id, (found = keep(constants.get(id)!)));
    return found;
  };
  /** A large constant is one number seen through a view. */
  const spread = (instruction: Instruction, spec: TensorSpec): Operand => {
    const { value } = instruction.attributes as { readonly value: number };
    const key = `${spec.dtype} ${Object.is(value, -0) ? "-0" : value}`;
    let scalar = scalars.get(key);
    if (!scalar) {
      const single = { shape: [], dtype: spec.dtype };
      const [one] = runPrimitive("full", [], { ...single, value }, [single]);
      made.push(one!);
      scalars.set(key, (scalar = keep(one!)));
    }
    return { ...spec, ref: recorder.call("expand", scalar.ref, spec.shape), constant: scalar.constant };
  };
  for (const instruction of instructions) {
    const specs = specsOf(program, instruction.outputs);
    if (instruction.op === "full" && sizeOf(specs[0]!.shape) > 1) {
      operands.set(instruction.outputs[0]!, spread(instruction, specs[0]!));
      continue;
    }
    if (instruction.op === "scan") {
      const attributes = instruction.attributes as ScanAttributes;
      const { body } = attributes;
      const inner = record(body, body.instructions, body.inputs, body.outputs, noConstants);
      made.push(...inner.made);
      const captured = inner.constants.map(([, value]) => keep(value));
      const tensors = [...instruction.inputs.map(operand), ...captured].map(({ ref }) => ref);
      const refs = callScan(recorder, tensors, inner, attributes, specs.length);
      instruction.outputs.forEach((id, i) => operands.set(id, { ...specs[i]!, ref: refs[i]!, constant: null }));
      continue;
    }
    const [kernel, attributes] = kernelFor(instruction);
    const refs = kernel!(recorder, instruction.inputs.map(operand), attributes, specs)!;
    const constant = constantOf(instruction.op, attributes, specs);
    instruction.outputs.forEach((id, i) => operands.set(id, { ...specs[i]!, ref: refs[i]!, constant }));
  }
  return { recorder, inputs, outputs: writes.map((id) => operand(id).ref), constants: kept, made };
}
