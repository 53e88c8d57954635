import type { ArrayLikeData, NDArray } from "../core/ndarray.js";
import type { Tensor } from "../core/tensor.js";

/** A value, or arrays and plain objects of such. */
export type Structure<T> = T | readonly Structure<T>[] | { readonly [key: string]: Structure<T> };

/** What users may pass as data: one array for each input or output, in their structure. */
export type DataInput = Structure<NDArray | Tensor | ArrayLikeData | null>;
/** Host arrays in the structure of the data. */
export type HostTree = Structure<NDArray | null>;
/** Tensors in the structure of the data. */
export type TensorTree = Structure<Tensor | null>;

/** Inputs, targets and sample weights of one batch; null where there are none. */
export type Triple<T> = readonly [x: T, y: T | null, sampleWeight: T | null];
/** One batch on the host. */
export type HostBatch = Triple<HostTree>;
/** One batch as steps get it. */
export type TensorBatch = Triple<TensorTree>;

/** Results of a step by name, as scalars (or vectors, for metrics that give several values). */
export type StepLogs = Readonly<Record<string, Tensor>>;
/** Results by name, as callbacks and users get them. */
export type Logs = Record<string, number | number[]>;
