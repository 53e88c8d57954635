import { type DType, isFloat, type Shape } from "../../core/dtype.js";
import { type ArrayLikeData, NDArray } from "../../core/ndarray.js";
import { Tensor, TensorScope } from "../../core/tensor.js";
import { Variable, type VariableOptions } from "../../core/variable.js";
import { type ConstraintFunction, constraints } from "../../constraints/index.js";
import { type InitializerIdentifier, get as getInitializer } from "../../initializers/index.js";
import { type RegularizerFunction, regularizers } from "../../regularizers/index.js";
import type { Identifier } from "../../config/lookup.js";
import type { Layer } from "../layer.js";
import { findTracked } from "./attributes.js";
import { openNameScope } from "./build.js";
import { STATE } from "./state.js";

/** How to make a weight. */
export interface WeightOptions {
  /** Name within the layer: "kernel". */
  name?: string | undefined;
  /** Fully known; a scalar by default. */
  shape?: Shape | undefined;
  /** Glorot uniform for float weights, zeros for others, when left out. */
  initializer?: InitializerIdentifier | null | undefined;
  /** The layer's variable dtype when left out. */
  dtype?: DType | null | undefined;
  trainable?: boolean | undefined;
  /** Whether reads are cast to the compute dtype of the layer that runs. */
  autocast?: boolean | undefined;
  regularizer?: Identifier<RegularizerFunction, string> | null | undefined;
  constraint?: Identifier<ConstraintFunction, string> | null | undefined;
  aggregation?: VariableOptions["aggregation"];
  /** Whether optimizers set the weight to its gradient. */
  overwriteWithGradient?: boolean | undefined;
}

/** Makes a variable in the layer's name scope and lists it as the layer's own. */
export function addWeight(layer: Layer, options: WeightOptions): Variable {
  const state = layer[STATE];
  const { trainable = true, name } = options;
  if (state.locked)
    throw new Error(
      `Layer "${layer.name}" cannot get the weight "${name ?? "(unnamed)"}": it is already built. Make weights in the constructor or in build().`,
    );
  const dtype = options.dtype ?? layer.variableDtype;
  const initializer = getInitializer(options.initializer ?? (isFloat(dtype) ? "glorot_uniform" : "zeros"));
  using _names = openNameScope(layer);
  using _tensors = new TensorScope();
  const variable = new Variable((shape, { dtype: given }) => initializer(shape, { dtype: given }), {
    shape: options.shape ?? [],
    dtype,
    trainable: trainable && state.trainable,
    autocast: options.autocast,
    name,
    aggregation: options.aggregation,
  });
  variable.regularizer = regularizers.get(options.regularizer as RegularizerFunction | null) ?? null;
  variable.constraint = constraints.get(options.constraint as ConstraintFunction | null) ?? null;
  variable.overwriteWithGradient = options.overwriteWithGradient ?? false;
  (trainable ? state.trainableVariables : state.nonTrainableVariables).push(variable);
  return variable;
}

/** The layer's own variables: trainable ones first, each list in the order of creation. Variables held by properties join at first sight. */
export function ownVariables(layer: Layer, held: readonly Variable[] = findTracked(layer).variables): Variable[] {
  const { trainableVariables, nonTrainableVariables } = layer[STATE];
  for (const variable of held) {
    if (trainableVariables.includes(variable) || nonTrainableVariables.includes(variable)) continue;
    (variable.trainable ? trainableVariables : nonTrainableVariables).push(variable);
  }
  return [...trainableVariables, ...nonTrainableVariables];
}

/** All variables of the layer and its sublayers, each once; with the states of seed generators when they are asked for. */
export function collectVariables(layer: Layer, withSeeds: boolean, found = new Set<Variable>()): Set<Variable> {
  const { variables, seedGenerators, layers } = findTracked(layer);
  for (const variable of ownVariables(layer, variables)) found.add(variable);
  if (withSeeds) for (const { state } of seedGenerators) found.add(state);
  for (const sublayer of layers) collectVariables(sublayer, withSeeds, found);
  return found;
}

/** Assigns values to weights in order; throws unless number and shapes agree, before anything is assigned. */
export function assignWeights(
  layer: Layer,
  weights: readonly Variable[],
  values: readonly (NDArray | Tensor | ArrayLikeData)[],
): void {
  if (values.length !== weights.length)
    throw new RangeError(
      `Layer "${layer.name}" has ${weights.length} weights, but it was given ${values.length} values.`,
    );
  const arrays = values.map((value) => (value instanceof Tensor ? value : NDArray.from(value)));
  weights.forEach((weight, i) => {
    const { shape } = arrays[i]!;
    if (shape.length !== weight.shape.length || shape.some((dim, k) => dim !== weight.shape[k]))
      throw new RangeError(
        `Weight "${weight.path}" of layer "${layer.name}" has shape [${weight.shape}]. Received a value of shape [${shape}].`,
      );
  });
  weights.forEach((weight, i) => weight.assign(arrays[i]!));
}
