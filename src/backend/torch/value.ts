import type { DType, Shape, TensorSpec } from "../../core/dtype.js";
import { NDArray, type TypedArray, allocate, sizeOf } from "../../core/ndarray.js";
import { builtIn } from "../built-in.js";
import { noSlot } from "./addon.js";
import { currentDevice } from "./device.js";
import { addon } from "./library.js";
import { storedAs } from "./storage.js";
import type { Operand, Ref } from "./torch.js";

/**
 * This engine's handle: a value that lies with libtorch, with the built-in engine, or, once both have needed it, with both.
 * Never written after it is made; reference-counted, because neither side's memory is seen by the garbage collector.
 */
export class Value implements Operand {
  readonly shape: Shape;
  readonly dtype: DType;
  readonly constant: number | null;
  #slot: Ref;
  #array: NDArray | null;
  #references = 1;

  private constructor({ shape, dtype }: TensorSpec, slot: Ref, array: NDArray | null, constant: number | null) {
    this.shape = shape;
    this.dtype = dtype;
    this.constant = constant;
    this.#slot = slot;
    this.#array = array;
  }
  /** Takes over a tensor of libtorch in the stored form of its dtype. */
  static ofSlot(slot: Ref, spec: TensorSpec, constant: number | null = null): Value {
    return new Value(spec, slot, null, constant);
  }
  /** Takes over a handle of the built-in engine. */
  static ofArray(array: NDArray): Value {
    return new Value(array, noSlot as Ref, array, null);
  }
  /** Copies a host array to the current device. */
  static fromHost(array: NDArray): Value {
    return Value.ofSlot(upload(array), { shape: array.shape, dtype: array.dtype });
  }

  get size(): number {
    return sizeOf(this.shape);
  }
  /** The value as a slot of libtorch, borrowed. */
  get ref(): Ref {
    if (this.#references === 0) this.#freed();
    if (this.#slot === noSlot) this.#slot = upload(this.#array ?? this.#spent());
    return this.#slot;
  }
  /** The value as a handle of the built-in engine, borrowed. */
  get array(): NDArray {
    if (this.#references === 0) this.#freed();
    if (this.#slot === noSlot && !this.#array) this.#spent();
    return (this.#array ??= builtIn.fromHost(download(this.#slot, this)) as NDArray);
  }
  /** A copy on the host. */
  toHost(): NDArray {
    if (this.#references === 0) this.#freed();
    if (this.#array) return builtIn.toHost(this.#array) as NDArray;
    return this.#slot === noSlot ? this.#spent() : download(this.#slot, this);
  }

  retain(): this {
    if (this.#references === 0) this.#freed();
    this.#references++;
    return this;
  }
  release(): void {
    if (this.#references === 0) this.#freed();
    if (--this.#references > 0) return;
    if (this.#slot !== noSlot) addon.free(this.#slot);
    if (this.#array) builtIn.dispose(this.#array);
    this.#array = null;
  }
  /** Gives the slot away to a call that frees it, if nobody else refers to the value and it lies with libtorch alone. */
  spend(): boolean {
    if (this.#references !== 1 || this.#slot === noSlot || this.#array) return false;
    this.#slot = noSlot as Ref;
    return true;
  }
  #spent(): never {
    throw new Error(
      `This value (shape [${this.shape}], ${this.dtype}) was overwritten by a run that then failed. Build or load the model anew.`,
    );
  }
  #freed(): never {
    throw new Error(`This value (shape [${this.shape}], ${this.dtype}) was freed already.`);
  }
}

function upload(array: NDArray): Ref {
  const { data } = array.contiguous();
  return addon.fromHost(data, array.shape, storedAs(array.dtype), currentDevice()) as Ref;
}

function download(slot: Ref, { shape, dtype }: TensorSpec): NDArray {
  const bytes = addon.toHost(slot);
  const storage = allocate(dtype, 0).constructor as new (buffer: ArrayBuffer) => TypedArray;
  return new NDArray(new storage(bytes), shape, dtype);
}
