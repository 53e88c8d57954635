import type { TensorSpec } from "../core/dtype.js";
import type { Engine } from "../core/engine.js";
import type { CompositeOptions } from "../core/op.js";
import type { AttributesOf, PrimitiveName } from "../primitives/index.js";

/** How an engine runs one primitive: inputs are borrowed, results are owned; `outputs` are what the primitive's rule gives. */
export type Kernel<H, A extends object> = (inputs: readonly H[], attributes: A, outputs: readonly TensorSpec[]) => H[];
/** An engine's version of every primitive. A missing entry is a compile error; an honest gap throws, naming op and engine. */
export type Kernels<H> = { readonly [P in PrimitiveName]: Kernel<H, AttributesOf<P>> };
/** Native versions of composite ops, by saved name ("nn.Softmax"). A null result means: not for these arguments. */
export type Composites<H> = Readonly<
  Record<string, (inputs: readonly H[], attributes: CompositeOptions, outputs: readonly TensorSpec[]) => H[] | null>
>;

/** What an engine package exports: the core's engine, typed by its own handles. */
export interface Backend<H = unknown> extends Engine {
  readonly kernels: Kernels<H>;
  readonly composites?: Composites<H>;
}
