import type { DType, Shape, TensorSpec } from "../core/dtype.js";
import { type NDArray, sizeOf } from "../core/ndarray.js";
import { builtIn } from "./built-in.js";

/**
 * Handle of an engine on a library: a value that lies with the library (as an `Own`), with the built-in engine, or, once both have needed it,
 * with both. Written once, unless it was spent; reference-counted, because neither side's memory is seen by the garbage collector.
 */
export abstract class LibraryValue<Own> {
  readonly shape: Shape;
  readonly dtype: DType;
  #own: Own | null;
  #array: NDArray | null;
  #references = 1;

  /** Takes over what the value lies in. */
  protected constructor({ shape, dtype }: TensorSpec, own: Own | null, array: NDArray | null) {
    this.shape = shape;
    this.dtype = dtype;
    this.#own = own;
    this.#array = array;
  }

  /** The library's form of an array of the built-in engine. */
  protected abstract upload(array: NDArray): Own;
  /** A copy on the host. */
  protected abstract download(own: Own): NDArray;
  /** Gives the library's form back. */
  protected abstract free(own: Own): void;
  /** A handle of the built-in engine. */
  protected toBuiltIn(own: Own): NDArray {
    return builtIn.fromHost(this.download(own)) as NDArray;
  }

  get size(): number {
    return sizeOf(this.shape);
  }
  /** What lies with the library already, else null. */
  protected get ownIfThere(): Own | null {
    return this.#own;
  }
  /** What lies with the built-in engine already, else null. */
  protected get arrayIfThere(): NDArray | null {
    return this.#array;
  }
  /** The value in the library's form, borrowed. */
  protected get own(): Own {
    if (this.#references === 0) this.#freed();
    return (this.#own ??= this.upload(this.#array ?? this.#overwritten()));
  }
  /** The value as a handle of the built-in engine, borrowed. */
  get array(): NDArray {
    if (this.#references === 0) this.#freed();
    return (this.#array ??= this.toBuiltIn(this.#own ?? this.#overwritten()));
  }
  /** A copy on the host. */
  toHost(): NDArray {
    if (this.#references === 0) this.#freed();
    if (this.#array) return builtIn.toHost(this.#array) as NDArray;
    return this.download(this.#own ?? this.#overwritten());
  }

  /** Another owned reference. */
  retain(): this {
    if (this.#references === 0) this.#freed();
    this.#references++;
    return this;
  }
  /** Gives one reference back; the memory is free when it was the last. */
  release(): void {
    if (this.#references === 0) this.#freed();
    if (--this.#references > 0) return;
    if (this.#own !== null) this.free(this.#own);
    if (this.#array) builtIn.dispose(this.#array);
    this.#own = this.#array = null;
  }
  /** Gives the library's form away to a call that frees it, if nobody else refers to the value and it lies with the library alone. */
  spend(): boolean {
    if (this.#references !== 1 || this.#own === null || this.#array) return false;
    this.#own = null;
    return true;
  }

  /** After `spend`: takes over another value of this shape and dtype, with a reference for who gets it. False, and nothing, at other times. */
  refill(own: Own): boolean {
    if (this.#references !== 1 || this.#own !== null || this.#array) return false;
    this.#own = own;
    this.#references = 2;
    return true;
  }

  #overwritten(): never {
    throw new Error(
      `This value (shape [${this.shape}], ${this.dtype}) was overwritten by a run that then failed. Build or load the model anew.`,
    );
  }
  #freed(): never {
    throw new Error(
      `This value (shape [${this.shape}], ${this.dtype}) was freed already. Use tensors inside the scope that made them, or return them from it.`,
    );
  }
}
