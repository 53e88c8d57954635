import { isFloat } from "../../core/dtype.js";
import { Node } from "../../core/graph.js";
import { isSpecMode } from "../../core/interpreter.js";
import { KerasTensor } from "../../core/keras-tensor.js";
import { autocastDType } from "../../core/scopes.js";
import { Tensor } from "../../core/tensor.js";
import { divide } from "../../ops/arithmetic.js";
import { flatten } from "../../tree/index.js";
import { showValue } from "../../utils/show-value.js";
import type { Layer } from "../layer.js";
import { assertInputCompatibility } from "../input-spec.js";
import { build, openNameScope } from "./build.js";
import { assertTensors, type CallArguments, convertArguments, splitArguments } from "./call-arguments.js";
import { type CallContext, callContext, resolveContextArgument } from "./call-context.js";
import { clearLosses } from "./losses.js";
import { anyMask, masksOf, propagateMasks } from "./masks.js";
import { STATE } from "./state.js";
import { dispose } from "../../utils/dispose.js";

const isTensor = (x: unknown): x is Tensor | KerasTensor => x instanceof Tensor || x instanceof KerasTensor;
const isSymbolic = (x: unknown): x is KerasTensor => x instanceof KerasTensor;

/** Everything around `call`: conversion and checks of the inputs, building, `training`, masks, scopes, losses, and the graph node. */
export function callLayer(layer: Layer, given: readonly unknown[]): unknown {
  const [first] = given;
  const original: CallArguments = given.length === 1 ? { args: given, options: {} } : splitArguments(layer, given);
  const direct = given.length === 1 && isTensor(first) && first.dtype === layer.inputDtype;
  const asGiven = direct || !layer.convertsInputs;
  const call = direct || layer.takesHostData ? original : convertArguments(layer, original);
  if (!direct && !layer.takesAnyArguments) assertTensors(layer, call.args);
  const symbolic = direct ? isSymbolic(first) : flatten([call.args, call.options]).some(isSymbolic);

  if (layer.inputSpec) assertInputCompatibility(layer.inputSpec, call.args[0], layer.name);
  if (!layer.built) build(layer, call, symbolic);
  const outer = callContext.get();
  if (!outer) clearLosses(layer);
  const context: CallContext = outer ?? { entry: layer, values: new Map<string, unknown>() };
  const recorded = symbolic ? { ...original.options } : null;
  const run = (): unknown => runCall(layer, call, context, symbolic, asGiven ? recorded : null);
  const outputs = outer ? run() : callContext.run(context, run);
  if (recorded) recordNode(layer, original.args, recorded, outputs);
  return outputs;
}

function runCall(
  layer: Layer,
  { args, options: given }: CallArguments,
  context: CallContext,
  symbolic: boolean,
  recorded: Record<string, unknown> | null,
): unknown {
  const { callArguments, callOptions } = layer.constructor as typeof Layer;
  const options = { ...given };
  for (const name of layer[STATE].contextArguments) {
    const value = resolveContextArgument(name, given, context) ?? null;
    if (value === null) delete options[name];
    else options[name] = value;
    if (recorded && value !== null && callOptions?.includes(name)) recorded[name] = value;
  }
  fillMasks(args, options, recorded, callArguments, callOptions ?? []);
  const previousMask = options["mask"] ?? masksOf(args[0]);
  // Options come last, after the positional arguments that were left out.
  const all = [...args];
  while (all.length < callArguments.length) all.push(undefined);
  all.push(options);

  const scope = openNameScope(layer);
  try {
    const outputs = inAutocastScope(layer, () => (symbolic ? layer.computeOutputSpec(...all) : layer.call(...all)));
    layer.built = true;
    if (layer.activityRegularizer) addActivityLosses(layer, outputs);
    propagateMasks(layer, args[0], outputs, previousMask);
    return outputs;
  } finally {
    // Not `using`: compiled down, that costs as much as all the rest of a call.
    scope[dispose]();
  }
}

/** Fills mask options left open with the masks that came with the tensors: `mask` for a single argument, else `queryMask`, `valueMask`... */
function fillMasks(
  args: readonly unknown[],
  options: Record<string, unknown>,
  recorded: Record<string, unknown> | null,
  names: readonly string[],
  declared: readonly string[],
): void {
  const fill = (option: string, arg: unknown): void => {
    if ((options[option] ?? null) !== null) return;
    const mask = masksOf(arg);
    if (recorded && declared.includes(option)) recorded[option] = mask;
    if (anyMask(mask)) options[option] = mask;
    else delete options[option];
  };
  let single = true;
  for (const name in options) if (name !== "mask" && holdsTensors(options[name])) single = false;
  for (let i = 1; i < args.length; i++) if (holdsTensors(args[i])) single = false;
  if (single) return fill("mask", args[0]);
  args.forEach((arg, i) => {
    const option = `${names[i]}Mask`;
    if (declared.includes(option) && holdsTensors(arg)) fill(option, arg);
  });
}
const holdsTensors = (value: unknown): boolean =>
  isTensor(value) || (typeof value === "object" && value !== null && flatten(value).some(isTensor));

/** Runs `fn`, in which variables are read in the compute dtype of the layer. */
export function inAutocastScope<T>(layer: Layer, fn: () => T): T {
  const open = autocastDType.get();
  const { computeDtype, variableDtype, autocast } = layer;
  if (open === undefined) return computeDtype === variableDtype ? fn() : autocastDType.run(computeDtype, fn);
  const wanted = autocast && isFloat(computeDtype) ? computeDtype : null;
  return wanted === open ? fn() : autocastDType.run(wanted, fn);
}

/** The penalty of each output, per sample. */
function addActivityLosses(layer: Layer, outputs: unknown): void {
  if (isSpecMode()) return;
  for (const y of flatten(outputs)) {
    if (!(y instanceof Tensor)) continue;
    const penalty = layer.activityRegularizer!(y);
    layer.addLoss(y.ndim > 0 && y.shape[0]! > 0 ? divide(penalty, y.shape[0]!) : penalty);
  }
}

function recordNode(
  layer: Layer,
  args: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
  outputs: unknown,
): void {
  const results = flatten(outputs);
  const wrong = results.find((y) => !isSymbolic(y));
  if (wrong !== undefined)
    throw new TypeError(
      `Layer "${layer.name}" was called on symbolic tensors and must return tensors only. Received: ${showValue(wrong)}.`,
    );
  const all = Object.keys(options).length > 0 ? [...args, options] : args;
  new Node(layer, all, {
    inputs: flatten(all).filter(isSymbolic),
    outputs: results as KerasTensor[],
    result: outputs,
  });
}
