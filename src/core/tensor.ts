/// <reference lib="esnext.disposable" preserve="true" />
import type { DType, Shape, TensorSpec } from "./dtype.js";
import { Dynamic } from "./dynamic.js";
import { engine, type Handle } from "./engine.js";
import { isForeignArray } from "./foreign.js";
import { type ArrayLikeData, NDArray, shrunk } from "./ndarray.js";
import { Operand } from "./operand.js";
import type { Variable } from "./variable.js";
import { dispose } from "../utils/dispose.js";

/** What ops accept: tensors of any kind, plain numbers and arrays, and arrays of other libraries. */
export type TensorLike = Operand | NDArray | ArrayLikeData;
export type { Variable };

let live = 0;
/** How many tensors own engine memory at the moment. */
export const liveTensors = (): number => live;

// The net for tensors made outside any scope: freed when their wrapper is collected.
const strays = new FinalizationRegistry<Stray>(({ handle }) => {
  live--;
  engine().dispose(handle);
});
interface Stray {
  handle: Handle;
}

/** A value on the engine: one handle with its shape and dtype. Immutable; freed by the scope it was made in. */
export class Tensor extends Operand {
  readonly shape: Shape;
  readonly dtype: DType;
  /** The mask that travels with sequences, as Keras attaches it to tensors. */
  kerasMask: Tensor | null = null;
  /** The scope that frees the tensor; null when none does. @internal */
  scope: TensorScope | null = null;
  #handle: Handle;
  #disposed = false;
  #stray: Stray | null = null;

  constructor(handle: Handle, { shape, dtype }: TensorSpec, owned = true) {
    super();
    this.shape = shape;
    this.dtype = dtype;
    this.#handle = handle;
    if (!owned) return;
    live++;
    const scope = TensorScope.current.get();
    if (scope) scope.add(this);
    else this.stray();
  }

  get handle(): Handle {
    if (this.#disposed)
      throw new Error(
        `This tensor (shape [${this.shape}], ${this.dtype}) was freed when its scope ended. Return it from the scope, or keep it in a Variable.`,
      );
    return this.#handle;
  }

  /** Number of elements. */
  get size(): number {
    return this.shape.reduce((product, dim) => product * dim, 1);
  }

  /** The values, copied to the host. */
  async data(): Promise<NDArray> {
    return engine().toHost(this.handle);
  }
  /** The values as nested JavaScript arrays. */
  async array(): Promise<ReturnType<NDArray["toArray"]>> {
    return (await this.data()).toArray();
  }
  /** The only element, as a number; throws when there are more. */
  async item(): Promise<number> {
    if (this.size !== 1)
      throw new RangeError(`item() needs a tensor with one element. Received shape [${this.shape}].`);
    return itemOf(this);
  }

  /** Frees the values now. Nobody needs to call this: scopes do. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    live--;
    if (this.#stray) strays.unregister(this);
    engine().dispose(this.#handle);
  }
  get isDisposed(): boolean {
    return this.#disposed;
  }
  /** Leaves the tensor to the garbage collector. */
  stray(): void {
    // Registered twice, it would be freed twice.
    if (this.#disposed || this.#stray) return;
    this.#stray = { handle: this.#handle };
    strays.register(this, this.#stray, this);
  }
  /** Frees the values and takes over others of the same shape and dtype. For an owner who has not shown the tensor to anybody. @internal */
  swap(handle: Handle): void {
    const former = this.handle;
    if (handle !== former) {
      this.#handle = handle;
      if (this.#stray) this.#stray.handle = handle;
    }
    engine().dispose(former);
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `Tensor(shape=[${this.shape}], dtype=${this.dtype}${this.#disposed ? ", freed" : ""})`;
  }
}

/** Owns every tensor made while it is open and frees those that do not escape when it is disposed. */
export class TensorScope implements Disposable {
  static readonly current = new Dynamic<TensorScope | null>(null);
  /** What was made here or left here. What has gone elsewhere since says so itself. */
  readonly #made: Tensor[] = [];
  readonly #outer = TensorScope.current.exchange(this);

  add(x: Tensor): void {
    if (x.scope === this) return;
    x.scope = this;
    this.#made.push(x);
  }
  /** Hands `x` to the enclosing scope, or to the garbage collector when there is none. */
  release<T extends Tensor>(x: T): T {
    if (!this.detach(x)) return x;
    if (this.#outer) this.#outer.add(x);
    else x.stray();
    return x;
  }
  /** Takes `x` out of the scope: its new owner frees it. */
  detach(x: Tensor): boolean {
    if (x.scope !== this) return false;
    x.scope = null;
    return true;
  }
  [dispose](): void {
    TensorScope.current.exchange(this.#outer);
    for (const x of this.#made) {
      if (x.scope !== this) continue;
      x.scope = null;
      x.dispose();
    }
  }
}

/** The only element of `x`, which must have one, as a number; a promise only where the engine needs one. */
export function itemOf({ handle }: Tensor): number | Promise<number> {
  const bound = engine();
  if (bound.item) return bound.item(handle);
  const array = bound.toHost(handle);
  return array instanceof Promise ? array.then(firstOf) : firstOf(array);
}
const firstOf = (array: NDArray): number => Number(array.numbers()[0]);

/** Takes `x` from the scope it was made in; the caller becomes its owner, and the garbage collector the net should the owner vanish. */
export function detach<T extends Tensor>(x: T): T {
  if (TensorScope.current.get()?.detach(x)) x.stray();
  return x;
}
/** Leaves `x` to the open scope, or to the garbage collector when there is none. */
export function abandon(x: Tensor): void {
  const scope = TensorScope.current.get();
  if (scope) scope.add(x);
  else x.stray();
}

/** A tensor with the values of `array`; 64-bit values shrink to 32 bits. */
export function fromHost(array: NDArray): Tensor {
  const host = shrunk(array);
  return new Tensor(engine().fromHost(host), { shape: host.shape, dtype: host.dtype });
}
/** A tensor of any data: an array of the library that the engine stands on is shared, everything else is copied. */
export function fromData(value: ArrayLikeData | NDArray): Tensor {
  const adopted = isForeignArray(value) ? engine().adopt?.(value) : null;
  return adopted ? new Tensor(adopted.handle, adopted) : fromHost(NDArray.from(value));
}
/** A tensor from host values: nested arrays, typed arrays or `{ data, shape }`. */
export const tensor = (value: ArrayLikeData | NDArray, dtype?: DType): Tensor =>
  dtype ? fromHost(NDArray.from(value, dtype)) : fromData(value);
