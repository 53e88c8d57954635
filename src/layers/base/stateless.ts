import { StatelessScope } from "../../core/stateless-scope.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import type { Layer } from "../layer.js";
import { STATE } from "./state.js";

export interface StatelessOptions {
  /** Whether the losses of the call are returned as well. */
  readonly returnLosses?: boolean;
  /** Options for `call`. */
  readonly [option: string]: unknown;
}
/** Outputs, new values of the non-trainable variables, and the losses when asked for. */
export type StatelessResult = [outputs: unknown, nonTrainableVariables: Tensor[], losses?: Tensor[]];

/**
 * Runs `layer.call` itself, without what calling the layer adds, on given values of its variables; nothing is assigned.
 * @param args The argument of `call`; several in an array are positional when the layer declares several.
 */
export function statelessCall(
  layer: Layer,
  trainable: readonly Tensor[],
  nonTrainable: readonly Tensor[],
  args: unknown,
  { returnLosses = false, ...options }: StatelessOptions,
): StatelessResult {
  if (!layer.built)
    throw new Error(`Layer "${layer.name}" must be built before statelessCall: call it on data or call build().`);
  const { trainableVariables, nonTrainableVariables } = layer;
  check(layer, "trainable", trainableVariables, trainable);
  check(layer, "non-trainable", nonTrainableVariables, nonTrainable);
  const { callArguments } = layer.constructor as typeof Layer;
  const positional = callArguments.length > 1 && Array.isArray(args) ? args : [args];
  const missing = Array<undefined>(Math.max(0, callArguments.length - positional.length));
  const stateMapping = [
    ...trainableVariables.map((variable, i) => [variable, trainable[i]!] as const),
    ...nonTrainableVariables.map((variable, i) => [variable, nonTrainable[i]!] as const),
  ];
  layer[STATE].losses = [];
  using scope = new StatelessScope({ stateMapping, collectLosses: returnLosses });
  const outputs = layer.call(...positional, ...missing, options);
  const losses = returnLosses ? layer.losses : [];
  const values = nonTrainableVariables.map((variable) => scope.getCurrentValue(variable)!);
  return returnLosses ? [outputs, values, losses] : [outputs, values];
}

function check(layer: Layer, kind: string, variables: readonly Variable[], values: readonly Tensor[]): void {
  if (variables.length !== values.length)
    throw new RangeError(
      `Layer "${layer.name}" has ${variables.length} ${kind} variables, but statelessCall was given ${values.length} values.`,
    );
}
