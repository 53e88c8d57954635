import type { Operation } from "../core/graph.js";

/** Models that are graphs, told apart without a cycle of imports. */
const graphModels = new WeakSet<object>();
/** Notes that `model` is a graph. */
export const noteGraphModel = (model: object): void => void graphModels.add(model);
/** Whether an operation is a model that is a graph. */
export const isGraphModel = (operation: Operation): boolean => graphModels.has(operation);
