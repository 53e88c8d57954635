import { autoName, camelToSnake } from "../utils/naming.js";
import { Node, type Operation } from "./graph.js";
import { interpreter } from "./interpreter.js";
import { KerasTensor } from "./keras-tensor.js";
import { anySymbolic, computeOutputSpec, leavesOf, mapArguments, symbolicTensorsOf } from "./symbolic.js";
import { nativeComposites } from "./native-composites.js";
import { isRecording, record, withoutTapes } from "./tape.js";
import { Tensor } from "./tensor.js";
import { Variable } from "./variable.js";

export interface OpGradientContext<A extends readonly unknown[] = readonly unknown[]> {
  /** The tensors among the arguments, in order. */
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  /** The arguments of the call. */
  readonly args: A;
}
/** How Keras saves the arguments of an op. */
export interface OpNaming {
  /** Python's names of the positional arguments that are not tensors; Keras keeps them in the op's config. */
  readonly static?: readonly string[];
  /** Other classes under which files may hold the op. */
  readonly aliases?: readonly string[];
  /** Python's names of options where snake case does not give them. */
  readonly rename?: Readonly<Record<string, string>>;
}
export interface OpOptions<A extends readonly unknown[] = readonly never[]> extends OpNaming {
  /** Replaces the derived gradient: from the outputs' gradients to those of the inputs. Implies `composite`. */
  readonly gradient?: (
    gradients: readonly (Tensor | null)[],
    context: OpGradientContext<A>,
  ) => readonly (Tensor | null)[];
  /** Whether Programs keep the op as one instruction, for engines and exporters that know its name. */
  readonly composite?: boolean;
}

/** What an engine learns of a composite call beside its tensors: the options by name, and all arguments with null for those that hold tensors. */
export interface CompositeOptions {
  readonly args: readonly unknown[];
  readonly [option: string]: unknown;
}

/** A public op: a plain function, which also knows how Keras saves it. */
export type Op<F> = F & {
  /** Area and class, as in "nn.Softmax": saved as `keras.src.ops.nn` / `Softmax`. */
  readonly opName: string;
  readonly options: OpNaming;
};

type AnyFunction = (...args: any[]) => unknown;
const registry = new Map<string, Op<AnyFunction>>();
/** The op saved under an area and a class name; undefined when there is none. */
export const findOp = (opName: string): Op<AnyFunction> | undefined => registry.get(opName);

/** The node's operation when a public op is applied to symbolic tensors. */
export class OpOperation implements Operation {
  readonly inboundNodes: Node[] = [];
  readonly outboundNodes: Node[] = [];
  readonly name: string;

  constructor(
    readonly op: Op<AnyFunction>,
    name?: string,
  ) {
    this.name = name ?? autoName(op.opName.slice(op.opName.indexOf(".") + 1));
  }
  /** Applies the op to symbolic tensors and records the node. */
  symbolicCall(args: readonly unknown[]): unknown {
    const result = computeOutputSpec(this.op, args);
    const outputs = symbolicTensorsOf(result);
    new Node(this, args, { inputs: symbolicTensorsOf(args), outputs, result });
    return result;
  }
  /** The arguments that Keras saves in the op's config, by Python's names. */
  configOf(args: readonly unknown[]): Record<string, unknown> {
    const config: Record<string, unknown> = { name: this.name };
    const { static: names = [], rename = {} } = this.op.options;
    const statics = args.filter((arg) => !holdsTensors(arg));
    const last = args.at(-1);
    const options = isOptions(last) ? last : {};
    const plain = statics.filter((arg) => arg !== options);
    // The last plain arguments are the static ones; what stands before them is part of the call.
    const before = Math.max(0, plain.length - names.length);
    names.forEach((name, i) => i + before < plain.length && (config[name] = plain[i + before]));
    for (const [key, value] of Object.entries(options))
      if (!anySymbolic(value) && value !== undefined) config[rename[key] ?? camelToSnake(key)] = value;
    return config;
  }
}
const isOptions = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const holdsTensors = (value: unknown): boolean =>
  leavesOf(value, (x): x is object => x instanceof Tensor || x instanceof KerasTensor || x instanceof Variable).length >
  0;

/**
 * Defines a public op from one body, which serves three modes: it runs on tensors, infers specs, and on symbolic tensors records a graph node.
 * @param opName Area and class under which Keras saves the op: "nn.Softmax".
 */
/* @__NO_SIDE_EFFECTS__ */
export function defineOp<F extends AnyFunction>(
  opName: string,
  body: F,
  options: OpOptions<Parameters<F>> = {},
): Op<F> {
  const special = options.gradient !== undefined || options.composite === true;
  const op = ((...args: unknown[]): unknown => {
    if (anySymbolic(args)) return new OpOperation(op as Op<AnyFunction>).symbolicCall(args);
    return special ? applyComposite(opName, body, options, args as Parameters<F>) : body(...args);
  }) as unknown as Op<F>;
  Object.assign(op, { opName, options });
  for (const name of [opName, ...(options.aliases ?? [])]) registry.set(name, op as Op<AnyFunction>);
  return op;
}

const isValue = (x: unknown): x is Tensor | Variable => x instanceof Tensor || x instanceof Variable;

function applyComposite<A extends readonly unknown[]>(
  name: string,
  body: AnyFunction,
  { gradient }: OpOptions<A>,
  args: A,
): unknown {
  const inputs = leavesOf(args, isValue).map((x) => (x instanceof Variable ? x.value : x));
  if (!gradient && isRecording(inputs)) return body(...args);
  const withInputs = (xs: readonly Tensor[]): unknown[] => {
    let next = 0;
    return args.map((arg) => mapArguments(arg, (x) => (isValue(x) ? xs[next++] : x)));
  };
  let isList = false;
  const run = (xs: readonly Tensor[]): readonly Tensor[] => {
    const result = body(...withInputs(xs));
    isList = Array.isArray(result);
    return isList ? (result as Tensor[]) : [result as Tensor];
  };
  const last = args.at(-1);
  const attributes = {
    args: args.map((arg) => (holdsTensors(arg) ? null : arg)),
    ...(isOptions(last) && !holdsTensors(last) ? last : {}),
  };
  // Without tensors among its arguments, an op of host arrays makes them in its body.
  const apply = (): readonly Tensor[] =>
    nativeComposites() && inputs.length > 0
      ? interpreter.get().runComposite({ name, attributes, inputs, body: run })
      : run(inputs);
  const outputs = gradient ? withoutTapes(apply) : apply();
  if (gradient) {
    const call = withInputs(inputs);
    record({
      name,
      inputs,
      outputs,
      attributes,
      gradient: (gradients) => gradient(gradients, { inputs, outputs, args: call as readonly unknown[] as A }),
    });
  }
  return isList ? outputs : outputs[0];
}
