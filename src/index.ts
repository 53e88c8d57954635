/** Keras for TypeScript: `import * as keras from "keras-ts"`. */
import "./backend/index.js";
import "./ops/operators.js";
import "./saving/model-methods.js";

export * as activations from "./keras-activations.js";
export * as backend from "./keras-backend.js";
export * as callbacks from "./keras-callbacks.js";
export * as config from "./keras-config.js";
export * as constraints from "./keras-constraints.js";
export * as datasets from "./datasets/index.js";
export * as dtypePolicies from "./dtype-policies/index.js";
export * as initializers from "./keras-initializers.js";
export * as layers from "./keras-layers.js";
export * as losses from "./keras-losses.js";
export * as metrics from "./keras-metrics.js";
export * as models from "./keras-models.js";
export * as ops from "./keras-ops.js";
export * as optimizers from "./keras-optimizers.js";
export * as quantizers from "./keras-quantizers.js";
export * as random from "./keras-random.js";
export * as regularizers from "./keras-regularizers.js";
export * as saving from "./keras-saving.js";
export * as tree from "./tree/index.js";
export * as utils from "./keras-utils.js";

export { valueAndGradients } from "./core/gradient.js";
export { jit } from "./core/jit.js";
export { device } from "./core/device.js";
export { KerasTensor } from "./core/keras-tensor.js";
export { NDArray } from "./core/ndarray.js";
export { remat } from "./core/remat.js";
export { nameScope } from "./core/scopes.js";
export { StatelessScope } from "./core/stateless-scope.js";
export { Tensor, tensor, type TensorLike, TensorScope } from "./core/tensor.js";
export { RematScope, SymbolicScope } from "./core/unsupported.js";
export { Variable } from "./core/variable.js";
export { DTypePolicy } from "./dtype-policies/index.js";
export { Initializer } from "./initializers/index.js";
export { Input, InputSpec, Layer } from "./layers/index.js";
export { Loss } from "./losses/index.js";
export { Metric } from "./metrics/index.js";
export { GraphFunction as Function } from "./models/function.js";
export { Model, Sequential } from "./models/index.js";
export { Optimizer } from "./optimizers/index.js";
export { Quantizer } from "./quantizers/index.js";
export { Regularizer } from "./regularizers/index.js";
/** The version of Python Keras whose API, files and numbers this package follows. */
export { kerasVersion as version } from "./utils/keras-version.js";
