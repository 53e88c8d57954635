import { toTensor } from "../core/convert.js";
import { isSpecMode } from "../core/interpreter.js";
import { KerasTensor } from "../core/keras-tensor.js";
import { defineOp } from "../core/op.js";
import type { Program } from "../core/program.js";
import { StatelessScope } from "../core/stateless-scope.js";
import type { Tensor } from "../core/tensor.js";
import { type TensorLike } from "../core/tensor.js";
import { traceClosure } from "../core/trace.js";
import type { Variable } from "../core/variable.js";
import * as P from "../primitives/index.js";
import { flatten } from "../tree/index.js";
import { knownValues } from "./known-values.js";
import * as loops from "./loops.js";
import { assertSameSpecs, takeApart } from "./trees.js";

type Branch<R> = () => R;
const names = ["the true branch", "the false branch"] as const;

interface TracedBranch {
  readonly program: Program;
  readonly captured: readonly Tensor[];
  /** How many results come before the new values of variables. */
  readonly results: number;
  readonly variables: readonly Variable[];
  readonly pack: (tensors: readonly Tensor[]) => unknown;
}
/** Writes a branch down; what it assigns to variables becomes further results. */
function traceBranch(branch: Branch<unknown>): TracedBranch {
  let traced: Pick<TracedBranch, "results" | "variables" | "pack"> | null = null;
  const { program, captured } = traceClosure(() => {
    using scope = new StatelessScope({ initializeVariables: false });
    const { tensors, pack } = takeApart(branch());
    traced = { results: tensors.length, variables: [...scope.updates.keys()], pack };
    return [...tensors, ...scope.updates.values()];
  }, []);
  return { program, captured, ...traced! };
}
const currentValue = (variable: Variable): Tensor =>
  StatelessScope.current.get()?.getCurrentValue(variable) ?? variable.rawValue;

/** Both branches as parts of a Program; a variable that only one assigns keeps its value in the other. */
function decideLater(predicate: Tensor, whenTrue: Branch<unknown>, whenFalse: Branch<unknown>): unknown {
  const [yes, no] = [traceBranch(whenTrue), traceBranch(whenFalse)];
  const resultsOf = ({ program, results }: TracedBranch) =>
    program.outputs.slice(0, results).map((id) => program.values[id]!);
  assertSameSpecs(resultsOf(yes), resultsOf(no), "cond", names);
  const variables = [...new Set([...yes.variables, ...no.variables])];
  const complete = (branch: TracedBranch) => (): readonly Tensor[] => {
    const outputs = P.inlineProgram(branch.program, branch.captured);
    const news = outputs.slice(branch.results);
    return [
      ...outputs.slice(0, branch.results),
      ...variables.map((v) => news[branch.variables.indexOf(v)] ?? currentValue(v)),
    ];
  };
  const outputs = loops.cond(predicate, complete(yes), complete(no), []);
  variables.forEach((variable, i) => variable.assign(outputs[yes.results + i]!));
  return yes.pack(outputs.slice(0, yes.results));
}

/** Both branches are inferred, and must agree. */
function inferBoth(whenTrue: Branch<unknown>, whenFalse: Branch<unknown>): unknown {
  const specsOf = (result: unknown) =>
    flatten(result)
      .filter((leaf) => (leaf ?? null) !== null)
      .map((leaf) => {
        const spec = leaf instanceof KerasTensor ? leaf : toTensor(leaf as TensorLike);
        return { dtype: spec.dtype, shape: spec.shape.map((d) => d ?? NaN) };
      });
  const [yes, no] = [whenTrue(), whenFalse()];
  assertSameSpecs(specsOf(yes), specsOf(no), "cond", names);
  return yes;
}

function condOf<R>(pred: TensorLike, trueFn: Branch<R>, falseFn: Branch<R>): R {
  if (typeof trueFn !== "function" || typeof falseFn !== "function")
    throw new TypeError("cond expects two functions without arguments as its branches.");
  if (isSpecMode()) return inferBoth(trueFn, falseFn) as R;
  if (typeof pred === "boolean") return pred ? trueFn() : falseFn();
  const predicate = toTensor(pred, "bool");
  if (predicate.ndim !== 0)
    throw new TypeError(
      `cond expects a scalar to decide. Received shape [${predicate.shape}]. Reduce it with any or all.`,
    );
  const known = knownValues(predicate);
  if (known) return known.numbers()[0] ? trueFn() : falseFn();
  return decideLater(predicate, trueFn, falseFn) as R;
}
/**
 * The result of one of two functions, chosen by a scalar. Eager code calls that one alone; in compiled code both become part of the
 * Program, so that their results, trees of tensors, must agree in shapes and dtypes. Variables may be assigned inside.
 */
export const cond = defineOp("core.Cond", condOf);

function switchOf<A extends readonly unknown[], R>(
  index: TensorLike,
  branches: readonly ((...operands: A) => R)[],
  ...operands: A
): R {
  const last = branches.length - 1;
  if (last < 0) throw new TypeError("switch expects at least one branch.");
  const position = toTensor(index, "int32");
  if (position.ndim !== 0) throw new TypeError(`switch expects a scalar index. Received shape [${position.shape}].`);
  const known = isSpecMode() ? null : knownValues(position)?.numbers()[0];
  if (typeof known === "number") return branches[Math.max(0, Math.min(last, known))]!(...operands);
  const from = (i: number): R =>
    i === last
      ? branches[i]!(...operands)
      : condOf(
          P.lessEqual(position, P.full([], i, "int32")),
          () => branches[i]!(...operands),
          () => from(i + 1),
        );
  return from(0);
}
/** The result of the branch at `index`, called with the operands; an index outside counts as the nearest inside. */
const switchCase = defineOp("core.Switch", switchOf);
export { switchCase as switch };
