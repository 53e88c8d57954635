import { configure } from "../../config/configure.js";
import type { ConstraintFunction } from "../../constraints/index.js";
import type { Shape } from "../../core/dtype.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import type { InitializerFunction } from "../../initializers/lookup.js";
import { add, multiply } from "../../ops/arithmetic.js";
import { zeros } from "../../ops/creation.js";
import { split } from "../../ops/joining.js";
import { matmul } from "../../ops/matmul.js";
import { concatenate } from "../../ops/shape.js";
import type { RegularizerFunction } from "../../regularizers/index.js";
import { showShape } from "../base/shapes.js";
import type { StateSize, States } from "./cell.js";
import { ProjectingCell } from "./projecting-cell.js";

/** Base of cells of matrix products: `gates(inputs · kernel + bias, state · recurrentKernel)`. */
export abstract class GatedCell extends configure(ProjectingCell, "GatedCell", {}) {
  // Fields of the subclasses, at their places among the arguments.
  declare readonly units: number;
  declare readonly useBias: boolean;
  declare readonly kernelInitializer: InitializerFunction;
  declare readonly recurrentInitializer: InitializerFunction;
  declare readonly biasInitializer: InitializerFunction;
  declare readonly kernelRegularizer: RegularizerFunction | null;
  declare readonly recurrentRegularizer: RegularizerFunction | null;
  declare readonly biasRegularizer: RegularizerFunction | null;
  declare readonly kernelConstraint: ConstraintFunction | null;
  declare readonly recurrentConstraint: ConstraintFunction | null;
  declare readonly biasConstraint: ConstraintFunction | null;
  kernel: Variable | null = null;
  recurrentKernel: Variable | null = null;
  bias: Variable | null = null;

  /** How many gates lie side by side in the kernels. */
  protected abstract readonly gates: number;
  override get outputSize(): number {
    return this.units;
  }
  /** Whether each gate has its masks and products of its own. */
  protected get splitsGates(): boolean {
    return false;
  }
  protected override get maskCount(): number {
    return this.splitsGates ? this.gates : 1;
  }
  /** Shape and first values of the bias. */
  protected get biasWeight(): { readonly shape: Shape; readonly initializer: InitializerFunction } {
    return { shape: [this.gates * this.units], initializer: this.biasInitializer };
  }

  override build(inputShape: SymbolicShape): void {
    const inputDim = inputShape.at(-1) ?? null;
    if (inputDim === null)
      throw new TypeError(
        `Layer "${this.name}" needs a known size of the last input axis to make its kernel. Received shape: ${showShape(inputShape)}.`,
      );
    const width = this.gates * this.units;
    this.kernel = this.addWeight({
      name: "kernel",
      shape: [inputDim, width],
      initializer: this.kernelInitializer,
      regularizer: this.kernelRegularizer,
      constraint: this.kernelConstraint,
    });
    this.recurrentKernel = this.addWeight({
      name: "recurrent_kernel",
      shape: [this.units, width],
      initializer: this.recurrentInitializer,
      regularizer: this.recurrentRegularizer,
      constraint: this.recurrentConstraint,
    });
    if (this.useBias)
      this.bias = this.addWeight({
        name: "bias",
        ...this.biasWeight,
        regularizer: this.biasRegularizer,
        constraint: this.biasConstraint,
      });
  }

  /** The bias of the inputs' product. */
  protected get inputBias(): Tensor | Variable | null {
    return this.bias;
  }
  /** The weights of the state's product, [units, ...]. */
  get stateKernel(): Tensor {
    return this.recurrentKernel!.value;
  }
  /** The bias of the state's product. */
  get stateBias(): Tensor | null {
    return null;
  }
  /** Whether `recur` is one product of the whole state, and `advance` elementwise. */
  isPlain(training: boolean): boolean {
    return !training || this.recurrentDropout === 0;
  }

  override project(inputs: Tensor, training: boolean): Tensor {
    const product = this.#product(inputs, this.kernel!.value, this.inputMasks(inputs, training));
    return this.inputBias ? add(product, this.inputBias) : product;
  }
  override recur(state: Tensor, training: boolean): Tensor {
    const product = this.#product(state, this.stateKernel, this.stateMasks(state, training));
    return this.stateBias ? add(product, this.stateBias) : product;
  }
  #product(x: Tensor, kernel: Tensor, masks: readonly Tensor[] | null): Tensor {
    if (!masks) return matmul(x, kernel);
    if (masks.length === 1) return matmul(multiply(x, masks[0]!), kernel);
    const kernels = split(kernel, kernel.shape.at(-1)! / this.units, { axis: 1 });
    return concatenate(
      kernels.map((part, i) => matmul(multiply(x, masks[i]!), part)),
      { axis: -1 },
    );
  }
  /** Zeros for a batch. */
  override getInitialState(batchSize: number): States {
    const sizes = ([] as StateSize[]).concat(this.stateSize) as number[];
    return sizes.map((size) => zeros([batchSize, size], { dtype: this.inputDtype }));
  }
}
