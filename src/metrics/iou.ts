import { configure } from "../config/configure.js";
import { bool, derived, float, int, intList, optional, type Options, positiveInt, string } from "../config/fields.js";
import { toTensor } from "../core/convert.js";
import { type DType, standardizeDType } from "../core/dtype.js";
import { NDArray } from "../core/ndarray.js";
import { epsilon } from "../core/settings.js";
import { fromHost, type Tensor, type TensorLike } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { add, divide, subtract } from "../ops/arithmetic.js";
import { cast } from "../ops/elementwise.js";
import { greater, greaterEqual, less, logicalAnd, notEqual, where } from "../ops/logic.js";
import { argmax, sum } from "../ops/reductions.js";
import { broadcastTo, reshape, stack } from "../ops/shape.js";
import * as P from "../primitives/index.js";
import { ComparingMetric } from "./comparing-metric.js";
import { type MetricOptions } from "./metric.js";

const wholeNumbers = {
  /** Dtype of the counts; int32 when null. */
  dtype: derived(optional(string()), (value): DType => standardizeDType(value, "int32")),
};

/** Base of metrics that compare regions by the classes of their elements: a matrix counts target against predicted classes. */
abstract class BaseIoU extends configure(ComparingMetric, "BaseIoU", wholeNumbers) {
  readonly #matrix: Variable = this.addVariable({
    name: "total_confusion_matrix",
    shape: [this.numClasses, this.numClasses],
    dtype: this.dtype,
  });
  // What subclasses do not have as arguments.
  get numClasses(): number {
    return 2;
  }
  get targetClassIds(): readonly number[] {
    return Array.from({ length: this.numClasses }, (_, i) => i);
  }
  get ignoreClass(): number | null {
    return null;
  }
  get sparseYTrue(): boolean {
    return true;
  }
  get sparseYPred(): boolean {
    return true;
  }
  get axis(): number {
    return -1;
  }
  override get direction(): "up" {
    return "up";
  }
  /** Class indices of predictions. */
  protected classesOf(yPred: TensorLike): Tensor {
    return this.sparseYPred ? toTensor(yPred, this.dtype) : argmax(yPred, { axis: this.axis });
  }
  protected override compare(yTrue: TensorLike, yPred: TensorLike, sampleWeight: TensorLike | null): void {
    const flat = (x: Tensor): Tensor => reshape(x, [-1]);
    const t = flat(cast(this.sparseYTrue ? toTensor(yTrue, this.dtype) : argmax(yTrue, { axis: this.axis }), "int32"));
    const p = flat(cast(this.classesOf(yPred), "int32"));
    const given = toTensor(sampleWeight ?? 1, this.dtype);
    const weight = broadcastTo(given.ndim > 1 ? flat(given) : given, t.shape);
    const inside = (x: Tensor): Tensor => logicalAnd(greaterEqual(x, 0), less(x, this.numClasses));
    let counted = logicalAnd(inside(t), inside(p));
    if (this.ignoreClass !== null) counted = logicalAnd(counted, notEqual(t, this.ignoreClass));
    const place = stack([where(counted, t, 0), where(counted, p, 0)], { axis: 1 });
    const matrix = this.#matrix.value;
    this.#matrix.assign(P.scatter(matrix, place, cast(where(counted, weight, 0), matrix.dtype), "add"));
  }
  override result(): Tensor {
    const matrix = this.#matrix.value;
    const n = this.numClasses;
    const ids = fromHost(NDArray.from(Int32Array.from(this.targetClassIds)));
    const pick = (x: Tensor): Tensor => P.take(cast(x, "float32"), ids, 0);
    const diagonal = P.equal(P.iota([n, 1], 0, "int32"), P.iota([1, n], 1, "int32"));
    const shared = sum(where(diagonal, matrix, 0), { axis: 1 });
    const united = pick(subtract(add(sum(matrix, { axis: 0 }), sum(matrix, { axis: 1 })), shared));
    const present = greater(united, 1e-9);
    const scores = where(present, divide(pick(shared), add(united, epsilon())), 0);
    return divide(sum(scores), add(sum(cast(present, "float32")), epsilon()));
  }
}

const classFields = { numClasses: positiveInt() };
const targetField = { targetClassIds: intList({ min: 0 }) };
const ignoreField = {
  /** A target class whose elements do not count. */
  ignoreClass: optional(int()),
};
const predictionFields = {
  /** Whether predictions are class indices instead of one value for each class. */
  sparseYPred: bool(true),
  /** The axis of classes, where there is one. */
  axis: int(-1),
};
const sparseFields = {
  ...ignoreField,
  /** Whether targets are class indices instead of one value for each class. */
  sparseYTrue: bool(true),
  ...predictionFields,
};
const oneHotFields = { ...ignoreField, ...predictionFields, sparseYPred: bool(false) };
export interface IoUOptions extends MetricOptions, Options<typeof sparseFields> {}
export interface OneHotIoUOptions extends MetricOptions, Options<typeof oneHotFields> {}

/** Throws when a class is not among those there are. */
function checkIds(name: string, ids: readonly number[], numClasses: number): void {
  if (ids.some((id) => id >= numClasses))
    throw new RangeError(`The metric "${name}" has ${numClasses} classes. Received targetClassIds: [${ids}].`);
}

/** Mean over the chosen classes of intersection over union. */
export class IoU extends configure(BaseIoU, "IoU", { ...classFields, ...targetField, ...sparseFields }) {
  constructor(numClasses: number, targetClassIds: readonly number[], options: IoUOptions = {}) {
    super({ numClasses, targetClassIds, ...options });
    checkIds(this.name, this.targetClassIds, this.numClasses);
  }
}
/** Mean over all classes of intersection over union. */
export class MeanIoU extends configure(BaseIoU, "MeanIoU", { ...classFields, ...sparseFields }) {
  constructor(numClasses: number, options: IoUOptions = {}) {
    super({ numClasses, ...options });
  }
}
/** IoU for one-hot targets. */
export class OneHotIoU extends configure(BaseIoU, "OneHotIoU", { ...classFields, ...targetField, ...oneHotFields }) {
  constructor(numClasses: number, targetClassIds: readonly number[], options: OneHotIoUOptions = {}) {
    super({ numClasses, targetClassIds, ...options });
    checkIds(this.name, this.targetClassIds, this.numClasses);
  }
  override get sparseYTrue(): false {
    return false;
  }
}
/** MeanIoU for one-hot targets. */
export class OneHotMeanIoU extends configure(BaseIoU, "OneHotMeanIoU", { ...classFields, ...oneHotFields }) {
  constructor(numClasses: number, options: OneHotIoUOptions = {}) {
    super({ numClasses, ...options });
  }
  override get sparseYTrue(): false {
    return false;
  }
}

const binaryFields = {
  targetClassIds: intList([0, 1], { min: 0 }),
  /** Probabilities from it on are class 1. */
  threshold: float(0.5),
};
export interface BinaryIoUOptions extends MetricOptions, Options<typeof binaryFields> {}
/** IoU of two classes, with probabilities of class 1 as predictions. */
export class BinaryIoU extends configure(BaseIoU, "BinaryIoU", binaryFields) {
  constructor(options: BinaryIoUOptions = {}) {
    super(options);
    checkIds(this.name, this.targetClassIds, 2);
  }
  protected override classesOf(yPred: TensorLike): Tensor {
    return cast(greaterEqual(toTensor(yPred, "float32"), this.threshold), this.dtype);
  }
}
