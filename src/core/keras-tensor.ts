import type { DType } from "./dtype.js";
import type { History } from "./graph.js";
import { Operand } from "./operand.js";
import { autoName } from "../utils/naming.js";

/** A shape in which null is an unknown dimension. */
export type SymbolicShape = readonly (number | null)[];

/** A symbolic tensor: a shape, a dtype and where in the graph it comes from, but no values. */
export class KerasTensor extends Operand {
  readonly shape: SymbolicShape;
  readonly dtype: DType;
  readonly name: string;
  /** The operation, node and output position that produce this tensor; null until a node records it. */
  history: History | null = null;
  kerasMask: KerasTensor | null = null;

  constructor(shape: SymbolicShape, dtype: DType = "float32", { name }: { name?: string } = {}) {
    super();
    this.shape = shape;
    this.dtype = dtype;
    this.name = name ?? autoName("KerasTensor");
  }
  [Symbol.toPrimitive](): never {
    throw new TypeError(
      `A KerasTensor has no value. Received: ${this.name} of shape [${this.shape.map(String).join(", ")}]. Use keras.ops or a layer to compute with it.`,
    );
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `KerasTensor(shape=[${this.shape.map((d) => d ?? "null").join(", ")}], dtype=${this.dtype}, name=${this.name})`;
  }
}
