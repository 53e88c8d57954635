import { Configurable } from "../config/configurable.js";
import { type DType, dtypes, isDType, shrink } from "../core/dtype.js";
import { showValue } from "../utils/show-value.js";

/** The dtypes a policy stands for. */
export interface PolicyDTypes {
  readonly compute: DType;
  readonly variable: DType;
}
const mixed: Readonly<Record<string, DType>> = { mixed_float16: "float16", mixed_bfloat16: "bfloat16" };

/** The dtypes of a layer by the name of a policy. Throws a TypeError for a name that is neither a dtype nor a mixed policy. */
export function parsePolicyName(name: string): PolicyDTypes {
  const compute = mixed[name];
  if (compute) return { compute, variable: "float32" };
  if (isDType(name)) return { compute: name, variable: name };
  const known = [...Object.keys(mixed), ...dtypes].join(", ");
  throw new TypeError(`There is no dtype policy ${showValue(name)}. Expected a mixed policy or a dtype: ${known}.`);
}

/** What all dtype policies have in common: in which dtype a layer computes, and in which it keeps its variables. */
export abstract class Policy extends Configurable {
  static override readonly module: string = "keras.dtype_policies";

  abstract get name(): string;
  protected abstract get dtypes(): PolicyDTypes;

  /** The dtype inputs are cast to and results have. */
  get computeDtype(): DType {
    return this.dtypes.compute;
  }
  /** The dtype of the layer's variables. */
  get variableDtype(): DType {
    return this.dtypes.variable;
  }
  /** `computeDtype` as tensors have it: 64-bit types shrink to 32 bits. */
  get tensorDtype(): DType {
    return shrink(this.dtypes.compute);
  }
  /** How weights are quantized; null when they are not. */
  get quantizationMode(): string | null {
    return null;
  }
  /** The policy that applies to the layer at `path`. */
  at(_path: string): Policy {
    return this;
  }
}
