import { KerasTensor } from "../core/keras-tensor.js";
import { NDArray } from "../core/ndarray.js";
import { shrink } from "../core/dtype.js";
import { computeOutputSpec } from "../core/symbolic.js";
import { TensorScope } from "../core/tensor.js";
import { flattenLayers } from "../layers/base/attributes.js";
import { mapStructure } from "../tree/index.js";
import { TRAINER } from "./state.js";
import type { Trainer } from "./trainer.js";
import type { HostBatch, HostTree, TensorTree } from "./types.js";

/** Whether the model and all its layers have their weights. */
export const isBuilt = (trainer: Trainer): boolean => flattenLayers(trainer).every((layer) => layer.built);

/** Makes what a first step would make: weights, losses and metrics that fit the shapes, and the optimizer's state. */
export function symbolicBuild(trainer: Trainer, batch: HostBatch): void {
  const { compileLoss, compileMetrics } = trainer[TRAINER];
  const losses = compileLoss !== null && !compileLoss.built;
  const metrics = compileMetrics !== null && !compileMetrics.built;
  if (losses || metrics || !isBuilt(trainer)) {
    const [x, y, sampleWeight] = batch.map(specsOf) as [unknown, unknown, unknown];
    const run = (x: TensorTree, y: TensorTree | null, sampleWeight: TensorTree | null): null => {
      const yPred = callModel(trainer, x, false);
      if (metrics) trainer.computeMetrics(x, y, yPred, sampleWeight);
      if (losses) trainer.computeLoss(x, y, yPred, sampleWeight, { training: false });
      return null;
    };
    computeOutputSpec(run, [x, y, sampleWeight]);
  }
  buildOptimizer(trainer);
}

/** Builds only the model, from the inputs of a batch. */
export function buildModel(trainer: Trainer, x: HostTree): void {
  if (!isBuilt(trainer)) computeOutputSpec((inputs: TensorTree) => callModel(trainer, inputs, false), [specsOf(x)]);
}

/** Makes the optimizer's state, when that has not happened. */
export function buildOptimizer(trainer: Trainer): void {
  const { optimizer } = trainer[TRAINER];
  if (!optimizer || optimizer.built) return;
  using _ = new TensorScope();
  optimizer.build(trainer.trainableVariables);
}

/** Calls the model, and tells it whether that is training. */
export const callModel = (trainer: Trainer, x: TensorTree, training: boolean): TensorTree =>
  trainer<TensorTree>(x as never, { training });

const specsOf = (tree: HostTree | null): unknown =>
  tree === null
    ? null
    : mapStructure(
        (leaf: unknown) =>
          leaf instanceof NDArray ? new KerasTensor(leaf.shape, shrink(leaf.dtype), { name: "batch" }) : null,
        tree as unknown,
      );
