import type { TensorSpec } from "../../core/dtype.js";
import { NDArray, viewAs } from "../../core/ndarray.js";
import { LibraryValue } from "../library-value.js";
import { currentDevice } from "./device.js";
import { addon } from "./library.js";
import { storedAs } from "./storage.js";
import type { Operand, Ref } from "./torch.js";

/** This engine's handle: what lies with libtorch is a slot of the addon's, in the stored form of its dtype. */
export class Value extends LibraryValue<Ref> implements Operand {
  /** What all elements are known to be. */
  readonly constant: number | null;

  private constructor(spec: TensorSpec, slot: Ref | null, array: NDArray | null, constant: number | null) {
    super(spec, slot, array);
    this.constant = constant;
  }
  /** Takes over a tensor of libtorch in the stored form of its dtype. */
  static ofSlot(slot: Ref, spec: TensorSpec, constant: number | null = null): Value {
    return new Value(spec, slot, null, constant);
  }
  /** Takes over a handle of the built-in engine. */
  static ofArray(array: NDArray): Value {
    return new Value(array, null, array, null);
  }
  /** Copies a host array to the current device. */
  static fromHost(array: NDArray): Value {
    return Value.ofSlot(upload(array), { shape: array.shape, dtype: array.dtype });
  }

  /** The value as a slot of libtorch, borrowed. */
  get ref(): Ref {
    return this.own;
  }

  /** The only element as a number. */
  item(): number {
    const slot = this.ownIfThere;
    // Most often a loss, and each step reads one. Other dtypes may be stored as something else.
    if (slot !== null && this.dtype === "float32") return addon.item(slot);
    return Number(this.toHost().numbers()[0]);
  }

  override refill(slot: Ref): boolean {
    return this.constant === null && super.refill(slot);
  }

  protected override upload(array: NDArray): Ref {
    return upload(array);
  }
  protected override download(slot: Ref): NDArray {
    const buffer = addon.toHost(slot);
    const bytes = { buffer, byteOffset: 0, byteLength: buffer.byteLength };
    return new NDArray(viewAs(this.dtype, bytes), this.shape, this.dtype);
  }
  protected override free(slot: Ref): void {
    addon.free(slot);
  }
}

function upload(array: NDArray): Ref {
  const { data } = array.contiguous();
  return addon.fromHost(data, array.shape, storedAs(array.dtype), currentDevice()) as Ref;
}
