/** Keras for TypeScript: `import * as keras from "keras-ts"`. */
import "./backend/index.js";
import "./ops/operators.js";
import "./saving/model-methods.js";

export * as activations from "./activations/index.js";
export * as backend from "./keras-backend.js";
export * as callbacks from "./callbacks/index.js";
export * as config from "./keras-config.js";
export * as constraints from "./constraints/index.js";
export * as datasets from "./datasets/index.js";
export * as dtypePolicies from "./dtype-policies/index.js";
export * as initializers from "./initializers/index.js";
export * as layers from "./layers/index.js";
export * as losses from "./losses/index.js";
export * as metrics from "./metrics/index.js";
export * as models from "./keras-models.js";
export * as ops from "./ops/index.js";
export * as optimizers from "./optimizers/index.js";
export * as quantizers from "./quantizers/index.js";
export * as random from "./random/index.js";
export * as regularizers from "./regularizers/index.js";
export * as saving from "./saving/index.js";
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
