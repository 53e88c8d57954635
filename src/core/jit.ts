import { flatten, packSequenceAs } from "../tree/index.js";
import { nodeOf } from "../tree/node.js";
import type { TensorSpec } from "./dtype.js";
import { engine, type Executable, type Handle } from "./engine.js";
import { interpreter } from "./interpreter.js";
import type { Program } from "./program.js";
import { Signature } from "./signature.js";
import { StatelessScope } from "./stateless-scope.js";
import { detach, Tensor } from "./tensor.js";
import { ProgramBuilder } from "./trace.js";
import type { Variable } from "./variable.js";

/** A stateless scope that turns every variable read inside into an input of the Program being traced. */
class LiftingScope extends StatelessScope {
  readonly inputs: Variable[] = [];
  constructor(private readonly builder: ProgramBuilder) {
    super({ initializeVariables: false });
  }
  override getCurrentValue(variable: Variable): Tensor {
    const known = super.getCurrentValue(variable);
    if (known) return known;
    const tracer = this.builder.input({ shape: variable.shape, dtype: variable.variableDType });
    this.inputs.push(variable);
    this.map(variable, tracer);
    return tracer;
  }
}

/** A function made pure: variables read become inputs after the arguments, variables assigned become outputs after the results. */
export interface PureProgram {
  readonly program: Program;
  readonly stateInputs: readonly Variable[];
  readonly stateOutputs: readonly Variable[];
  /** The result's structure, with its tensors in flat order. */
  readonly result: unknown;
}

/** Traces an imperative function of a tree of tensors into a pure Program: state in, state out. */
export function functionalize(fn: (...args: never[]) => unknown, args: readonly unknown[]): PureProgram {
  const builder = new ProgramBuilder();
  using scope = new LiftingScope(builder);
  const leaves = flatten(args).map((leaf) =>
    leaf instanceof Tensor ? builder.input({ shape: leaf.shape, dtype: leaf.dtype }) : leaf,
  );
  const result = interpreter.run(builder, () =>
    (fn as (...a: unknown[]) => unknown)(...(packSequenceAs(args, leaves) as unknown[])),
  );
  const outputs = flatten(result).filter((leaf): leaf is Tensor => leaf instanceof Tensor);
  const stateOutputs = [...scope.updates.keys()];
  const program = builder.finish([...outputs, ...scope.updates.values()]);
  return { program, stateInputs: scope.inputs, stateOutputs, result };
}

interface Compiled {
  readonly signature: Signature;
  readonly program: Program;
  readonly executable: Executable;
  /** Variables whose values follow the arguments. */
  readonly stateInputs: readonly Variable[];
  /** Variables whose new values follow the results. */
  readonly stateOutputs: readonly Variable[];
  /** What the results are. */
  readonly specs: readonly TensorSpec[];
  /** Positions of the inputs that are values of variables which the results replace, in the order of the results. */
  readonly spent: readonly number[];
  /** For each variable with a new value the position of its former one among the inputs, or -1. */
  readonly formerAt: readonly number[];
  /** Puts result tensors into the function's structure. */
  readonly pack: Packer;
}

/** A function that is traced and compiled once per combination of argument shapes, dtypes and plain values, and then replayed. */
export interface Jitted<A extends readonly unknown[], R> {
  (...args: A): R;
  /** Like a call, without blocking the event loop where the engine can. */
  async(...args: A): Promise<R>;
  /** Frees every compiled form. */
  dispose(): void;
}

/** Compiles `fn`, a function of (trees of) tensors that may read and assign variables. */
export function jit<A extends readonly unknown[], R>(fn: (...args: A) => R): Jitted<A, R> {
  /** All compiled forms; the one used last is the first. */
  const forms: Compiled[] = [];
  /** The form for `args`. Fills `handles` with its inputs. */
  const prepare = (args: A, handles: Handle[]): Compiled => {
    let at = 0;
    for (; at < forms.length && !forms[at]!.signature.read(args, handles); at++) handles.length = 0;
    const isNew = at === forms.length;
    const form = isNew ? compile(fn, args) : forms[at]!;
    if (isNew) form.signature.read(args, handles);
    if (at > 0 || isNew) {
      forms.splice(at, 1);
      forms.unshift(form);
    }
    for (const variable of form.stateInputs) handles.push(variable.stored.handle);
    return form;
  };
  const call = (...args: A): R => {
    const handles: Handle[] = [];
    const form = prepare(args, handles);
    return finish(form, handles, form.executable.run(handles, unshared(form))) as R;
  };
  return Object.assign(call, {
    async async(...args: A): Promise<R> {
      const handles: Handle[] = [];
      const form = prepare(args, handles);
      const { executable } = form;
      // While a run is under way others may read the variables, so their memory is not for the taking.
      const results = executable.runAsync
        ? await executable.runAsync(handles)
        : executable.run(handles, unshared(form));
      // Nor are the inputs sure to be the variables' values still.
      return finish(form, [], results) as R;
    },
    dispose(): void {
      for (const { executable, program } of forms.splice(0)) {
        executable.dispose();
        for (const { tensor } of program.constants) tensor.dispose();
      }
    },
  });
}

function compile(fn: (...args: never[]) => unknown, args: readonly unknown[]): Compiled {
  const { program: traced, stateInputs, stateOutputs, result } = functionalize(fn, args);
  const constants = traced.constants.map(({ id, tensor }) => ({ id, tensor: keep(tensor) }));
  const program = { ...traced, constants };
  const first = program.inputs.length - stateInputs.length;
  const positions = new Map(stateInputs.map((variable, i) => [variable, first + i]));
  const formerAt = stateOutputs.map((variable) => positions.get(variable) ?? -1);
  return {
    signature: new Signature(args),
    program,
    executable: engine().compile(program),
    stateInputs,
    stateOutputs,
    specs: program.outputs.slice(0, program.outputs.length - stateOutputs.length).map((id) => program.values[id]!),
    spent: formerAt.filter((at) => at >= 0),
    formerAt,
    pack: packerOf(result),
  };
}
const keep = (x: Tensor): Tensor => detach(new Tensor(engine().share(x.handle), x));

/** The inputs that nobody else can read any more once they are replaced. */
function unshared({ program, spent, stateInputs }: Compiled): readonly number[] {
  const first = program.inputs.length - stateInputs.length;
  for (const i of spent)
    if (stateInputs[i - first]!.isExposed) return spent.filter((k) => !stateInputs[k - first]!.isExposed);
  return spent;
}

function finish(
  { specs, stateOutputs, formerAt, pack }: Compiled,
  inputs: readonly Handle[],
  results: readonly Handle[],
) {
  const count = specs.length;
  const tensors = specs.map((spec, i) => new Tensor(results[i], spec));
  for (let i = 0; i < stateOutputs.length; i++) {
    const handle = results[count + i];
    // The engine may have put the new value into the handle that the variable has: then only the second reference is too much.
    if (inputs[formerAt[i]!] === handle) engine().dispose(handle);
    else stateOutputs[i]!.replace(handle);
  }
  return pack(tensors);
}

type Packer = (tensors: readonly Tensor[]) => unknown;
/** Makes copies of a function's result with other tensors in it, in the order of `flatten`. */
function packerOf(result: unknown): Packer {
  let next = 0;
  const plan = (part: unknown): Packer => {
    if (part instanceof Tensor) {
      const at = next++;
      return (tensors) => tensors[at];
    }
    const node = nodeOf(part);
    if (!node) return () => part;
    const children = node.children.map(plan);
    return (tensors) => node.rebuild(children.map((child) => child(tensors)));
  };
  return plan(result);
}
