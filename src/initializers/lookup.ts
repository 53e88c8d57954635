import { type Identifier, makeLookup } from "../config/lookup.js";
import { objectField } from "../config/fields.js";
import type { DType, Shape } from "../core/dtype.js";
import { toTensor } from "../core/convert.js";
import { NDArray } from "../core/ndarray.js";
import { Tensor } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { Constant, Ones, Zeros } from "./constant.js";
import { Initializer } from "./initializer.js";
import { Identity, Orthogonal, STFT } from "./matrices.js";
import { RandomNormal, RandomUniform, TruncatedNormal } from "./random.js";
import {
  GlorotNormal,
  GlorotUniform,
  HeNormal,
  HeUniform,
  LecunNormal,
  LecunUniform,
  VarianceScaling,
} from "./variance-scaling.js";

/** What gives weights their first values: an Initializer, or any function like one. */
export type InitializerFunction = (shape: Shape, options?: { dtype?: DType | undefined }) => Tensor;

/** Finds initializers by name, config, class or instance. */
export const initializers = makeLookup({
  kind: "initializer",
  module: "keras.initializers",
  objects: {
    Initializer,
    Constant,
    Identity,
    Ones,
    STFT,
    Zeros,
    Orthogonal,
    RandomNormal,
    RandomUniform,
    TruncatedNormal,
    VarianceScaling,
    GlorotNormal,
    GlorotUniform,
    HeNormal,
    HeUniform,
    LecunNormal,
    LecunUniform,
  },
  aliases: {
    normal: RandomNormal,
    uniform: RandomUniform,
    one: Ones,
    zero: Zeros,
    IdentityInitializer: Identity,
    OrthogonalInitializer: Orthogonal,
    STFTInitializer: STFT,
  },
  accepts: (value): value is InitializerFunction => typeof value === "function",
  convert: (value) =>
    value instanceof Tensor || value instanceof NDArray || ArrayBuffer.isView(value)
      ? fixed(value as Tensor | NDArray)
      : undefined,
});
function fixed(value: Tensor | NDArray): InitializerFunction {
  return (shape, { dtype } = {}) => {
    const x = toTensor(value, dtype ?? null);
    if (x.shape.length !== shape.length || x.shape.some((d, i) => d !== shape[i])) {
      throw new RangeError(`The initial value has shape [${x.shape}], but the weight needs [${shape}].`);
    }
    return P.stopGradient(x);
  };
}
export type InitializerName = (typeof initializers.names)[number];
export type InitializerIdentifier = Identifier<InitializerFunction, InitializerName>;
/** A constructor argument that is an initializer. */
export const initializer = <F extends InitializerName>(fallback: F) => objectField(initializers, fallback);
