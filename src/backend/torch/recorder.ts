import type { TensorSpec } from "../../core/dtype.js";
import { tags } from "./addon.js";
import { findOp, hasOp, MissingOpError } from "./op-table.js";
import type { Argument, Kernel, Operand, Ref, Torch } from "./torch.js";

/** One call of an op, written down. Tensors in the arguments and results are registers. */
export interface RecordedCall {
  readonly op: string;
  readonly args: readonly Argument[];
  readonly results: readonly Ref[];
}
/** Calls written down, in an order in which they may run. */
export interface Recording {
  readonly calls: readonly RecordedCall[];
  readonly inputs: readonly Ref[];
  readonly outputs: readonly Ref[];
  /** How many registers there are. */
  readonly registers: number;
}

const dropped = -1 as Ref;

/** Arguments as text: equal for equal calls. */
const keyOf = (op: string, args: readonly Argument[]): string => {
  let key = op;
  for (const arg of args)
    key += Array.isArray(arg) ? `;[${arg.join()}]` : `;${Object.is(arg, -0) ? "-0" : `${typeof arg}${String(arg)}`}`;
  return key;
};

/** Writes ops down instead of running them. Equal calls are written once. */
export class Recorder implements Torch {
  readonly calls: RecordedCall[] = [];
  readonly #seen = new Map<string, readonly Ref[]>();
  #registers = 0;

  register(): Ref {
    return this.#registers++ as Ref;
  }
  get registers(): number {
    return this.#registers;
  }
  call(op: string, ...args: readonly Argument[]): Ref {
    if (findOp(op).writes) {
      this.calls.push({ op, args, results: [dropped] });
      return args[0] as Ref;
    }
    return this.#once(op, 1, args)[0]!;
  }
  callMany(op: string, count: number, ...args: readonly Argument[]): readonly Ref[] {
    return this.#once(op, count, args);
  }
  fresh(op: string, ...args: readonly Argument[]): Ref {
    return this.#write(op, 1, args)[0]!;
  }
  has(op: string): boolean {
    return hasOp(op);
  }
  #once(op: string, count: number, args: readonly Argument[]): readonly Ref[] {
    const key = keyOf(op, args);
    let results = this.#seen.get(key);
    if (!results) this.#seen.set(key, (results = this.#write(op, count, args)));
    return results;
  }
  #write(op: string, count: number, args: readonly Argument[]): readonly Ref[] {
    const results = Array.from({ length: count }, () => this.register());
    this.calls.push({ op, args, results });
    return results;
  }
}

/** Whether a kernel takes operands of these specs; nothing of what it writes is kept. */
export function takes(
  kernel: Kernel,
  inputs: readonly TensorSpec[],
  attributes: object,
  outputs: readonly TensorSpec[],
): boolean {
  const operands = inputs.map(({ shape, dtype }, i): Operand => ({ shape, dtype, ref: i as Ref, constant: null }));
  try {
    return kernel(new Recorder(), operands, attributes, outputs) !== null;
  } catch (error) {
    if (error instanceof MissingOpError) return false;
    throw error;
  }
}

const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)];

function encodeArgument(kind: string, arg: Argument, code: number[]): void {
  if (arg === undefined) code.push(tags.default);
  else if (arg === null) code.push(tags.none);
  else if (typeof arg === "string") {
    const bytes = bytesOf(arg);
    code.push(tags.string, bytes.length, ...bytes);
  } else if (typeof arg === "boolean") code.push(tags.bool, Number(arg));
  else if (typeof arg === "number") {
    if (kind === "Tensor") code.push(tags.tensor, arg);
    else if (kind === "float" || !Number.isInteger(arg) || Object.is(arg, -0)) code.push(tags.float, arg);
    else code.push(tags.int, arg);
  } else {
    const values = arg.map((v) => (v === null ? dropped : Number(v)));
    const tag =
      kind === "Tensor[]"
        ? tags.tensors
        : kind === "Tensor?[]"
          ? tags.optionalTensors
          : kind === "bool[]"
            ? tags.bools
            : kind === "float[]"
              ? tags.floats
              : tags.ints;
    code.push(tag, values.length, ...values);
  }
}

/** Calls in the form that the addon makes a program of. */
export function encode(calls: readonly RecordedCall[]): Float64Array {
  const code: number[] = [];
  for (const { op, args, results } of calls) {
    const { id, kinds } = findOp(op);
    code.push(id, args.length);
    args.forEach((arg, i) => encodeArgument(kinds[i]!, arg, code));
    code.push(results.length, ...results);
  }
  return Float64Array.from(code);
}
