/** `keras.dtype_policies`: in which dtypes layers compute and keep their variables. */
export { DTypePolicy, FloatDTypePolicy } from "./dtype-policy.js";
export { DTypePolicyMap } from "./dtype-policy-map.js";
export { type PolicyIdentifier, deserialize, get, serialize, setDtypePolicy } from "./get.js";
export { dtypePolicy } from "./global-policy.js";
export { Policy } from "./policy.js";
export {
  AWQDTypePolicy,
  GPTQDTypePolicy,
  Int4DTypePolicy,
  type QuantizationMode,
  QuantizedDTypePolicy,
  QuantizedFloat8DTypePolicy,
  TernaryDTypePolicy,
  quantizationModes,
} from "./quantized-dtype-policy.js";
