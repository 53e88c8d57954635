import { flatten, packSequenceAs } from "../tree/index.js";
import type { TensorSpec } from "./dtype.js";
import { engine, type Executable } from "./engine.js";
import { interpreter } from "./interpreter.js";
import type { Program } from "./program.js";
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

interface Compiled extends PureProgram {
  readonly executable: Executable;
  readonly specs: readonly TensorSpec[];
  /** Positions of the inputs that are values of variables which the results replace. */
  readonly spent: readonly number[];
  /** Puts result tensors into the function's structure. */
  readonly pack: (results: readonly Tensor[]) => unknown;
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
  const cache = new Map<string, Compiled>();
  const lookup = (args: A): Compiled => {
    const key = cacheKey(args);
    let compiled = cache.get(key);
    if (!compiled) {
      const pure = functionalize(fn as (...a: never[]) => unknown, args);
      const program = {
        ...pure.program,
        constants: pure.program.constants.map(({ id, tensor }) => ({ id, tensor: keep(tensor) })),
      };
      const specs = program.outputs.map((id) => program.values[id]!);
      const spent = replacedInputs(pure);
      compiled = { ...pure, program, specs, spent, pack: packerOf(pure.result), executable: engine().compile(program) };
      cache.set(key, compiled);
    }
    return compiled;
  };
  const call = (...args: A): R => {
    const compiled = lookup(args);
    return finish(compiled, compiled.executable.run(operands(compiled, args), compiled.spent)) as R;
  };
  return Object.assign(call, {
    async async(...args: A): Promise<R> {
      const compiled = lookup(args);
      const { executable, spent } = compiled;
      const handles = operands(compiled, args);
      // While a run is under way others may read the variables, so their memory is not for the taking.
      const results = executable.runAsync ? await executable.runAsync(handles) : executable.run(handles, spent);
      return finish(compiled, results) as R;
    },
    dispose(): void {
      for (const { executable, program } of cache.values()) {
        executable.dispose();
        for (const { tensor } of program.constants) tensor.dispose();
      }
      cache.clear();
    },
  });
}

const keep = (x: Tensor): Tensor => detach(new Tensor(engine().share(x.handle), x));
function replacedInputs({ program, stateInputs, stateOutputs }: PureProgram): number[] {
  const first = program.inputs.length - stateInputs.length;
  const replaced = new Set(stateOutputs);
  return stateInputs.flatMap((variable, i) => (replaced.has(variable) ? [first + i] : []));
}
const operands = ({ stateInputs }: Compiled, args: readonly unknown[]): unknown[] => [
  ...flatten(args).flatMap((leaf) => (leaf instanceof Tensor ? [leaf.handle] : [])),
  ...stateInputs.map((variable) => variable.stored.handle),
];

function finish({ specs, stateOutputs, pack }: Compiled, handles: readonly unknown[]): unknown {
  const count = handles.length - stateOutputs.length;
  const tensors = handles.map((handle, i) => new Tensor(handle, specs[i]!));
  stateOutputs.forEach((variable, i) => variable.replace(tensors[count + i]!));
  return pack(tensors.slice(0, count));
}
/** The leaves are found once; a single tensor needs no packing. */
function packerOf(result: unknown): (results: readonly Tensor[]) => unknown {
  if (result instanceof Tensor) return ([only]) => only;
  const leaves = flatten(result);
  return (results) => {
    let next = 0;
    return packSequenceAs(
      result,
      leaves.map((leaf) => (leaf instanceof Tensor ? results[next++] : leaf)),
    );
  };
}

function cacheKey(args: readonly unknown[]): string {
  const describe = (value: unknown): string => {
    if (value instanceof Tensor) return `${value.dtype}[${value.shape}]`;
    if (Array.isArray(value)) return `(${value.map(describe).join(";")})`;
    if (value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype) {
      return `{${Object.entries(value)
        .map(([k, v]) => `${JSON.stringify(k)}:${describe(v)}`)
        .join(";")}}`;
    }
    return typeof value === "object" && value !== null ? `#${identity(value)}` : `${typeof value}:${String(value)}`;
  };
  return describe(args);
}
const identities = new WeakMap<object, number>();
let nextIdentity = 0;
function identity(value: object): number {
  if (!identities.has(value)) identities.set(value, nextIdentity++);
  return identities.get(value)!;
}
