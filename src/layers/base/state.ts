import type { Node } from "../../core/graph.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import type { Policy } from "../../dtype-policies/index.js";
import type { Layer } from "../layer.js";

/** A shape, or a structure of shapes, of one positional argument of `call`; null or undefined for what is left out. */
export type ShapeStructure =
  SymbolicShape | readonly ShapeStructure[] | { readonly [key: string]: ShapeStructure } | null | undefined;

/** What a layer keeps for itself. Held under a symbol, so that the search for sublayers and variables does not see it. */
export interface LayerState {
  policy: Policy;
  trainable: boolean;
  /** Name scopes of the first use, where variables of the layer belong; null before it. */
  parentPath: string | null;
  /** The scopes with the layer's own name; null before it is built. */
  path: string | null;
  /** Shapes that `build` got, in order. */
  buildShapes: readonly ShapeStructure[] | null;
  locked: boolean;
  /** Shape of one sample, where the constructor was told. */
  sampleShape: SymbolicShape | null;
  readonly inboundNodes: Node[];
  readonly outboundNodes: Node[];
  /** Own variables by the list they were put into at creation. */
  trainableVariables: Variable[];
  nonTrainableVariables: Variable[];
  /** Layers and variables reported by `track`. */
  readonly tracked: unknown[];
  losses: Tensor[];
  lossesOverride: readonly Tensor[] | null;
  /** Arguments that travel from call to call inside. */
  readonly contextArguments: Set<string>;
}

/** Where a layer keeps its state. */
export const STATE: unique symbol = Symbol("keras.layer.state");

/** Whether `value` is a layer. */
export const isLayer = (value: unknown): value is Layer =>
  ((typeof value === "object" && value !== null) || typeof value === "function") && STATE in (value as object);

/** A fresh state. */
export const makeState = (policy: Policy, trainable: boolean): LayerState => ({
  policy,
  trainable,
  parentPath: null,
  path: null,
  buildShapes: null,
  locked: false,
  sampleShape: null,
  inboundNodes: [],
  outboundNodes: [],
  trainableVariables: [],
  nonTrainableVariables: [],
  tracked: [],
  losses: [],
  lossesOverride: null,
  contextArguments: new Set(["training"]),
});
