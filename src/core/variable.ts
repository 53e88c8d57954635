import { cast } from "../primitives/index.js";
import { autoName } from "../utils/naming.js";
import { type DType, isFloat, type Shape, shrink } from "./dtype.js";
import { Dynamic } from "./dynamic.js";
import { engine, type Handle } from "./engine.js";
import { inEagerMode } from "./interpreter.js";
import { type ArrayLikeData, NDArray } from "./ndarray.js";
import { Operand } from "./operand.js";
import { autocastDType, currentPath } from "./scopes.js";
import { deferInitialization, StatelessScope } from "./stateless-scope.js";
import { withoutTapes } from "./tape.js";
import { abandon, detach, fromData, fromHost, Tensor, TensorScope } from "./tensor.js";

/** Whether new variables wait with their initializer until they are read: where a file's values are about to replace them. */
export const lazyVariables = new Dynamic(false);

/** Gives a variable its first value. */
export type VariableInitializer = (shape: Shape, options: { dtype: DType }) => Tensor;
export interface VariableOptions {
  /** Needed with an initializer function; must be fully known. */
  shape?: Shape | undefined;
  dtype?: DType | undefined;
  trainable?: boolean | undefined;
  /** Whether float values are cast where an autocast scope is open. */
  autocast?: boolean | undefined;
  name?: string | undefined;
  aggregation?: "none" | "mean" | "sum" | "only_first_replica" | undefined;
}

/** State: a value that ops read and `assign` replaces. */
export class Variable extends Operand {
  readonly shape: Shape;
  readonly name: string;
  /** The name with the scopes the variable was made in. */
  readonly path: string;
  readonly autocast: boolean;
  readonly aggregation: "none" | "mean" | "sum" | "only_first_replica";
  trainable: boolean;
  regularizer: ((x: Tensor) => Tensor) | null = null;
  constraint: ((x: Tensor) => Tensor) | null = null;
  /** Whether an optimizer sets the variable to its gradient instead of descending along it. */
  overwriteWithGradient = false;
  readonly #dtype: DType;
  #value: Tensor | null = null;
  /** Who may hold the tensor of the current value: nobody else, code inside a scope, or code outside of all. */
  #readers: "none" | "scoped" | "free" = "none";
  readonly #initializer: VariableInitializer | null;

  /**
   * @param initializer A function of shape and dtype, or the value itself.
   * @throws TypeError when a function comes without a fully known shape.
   */
  constructor(
    initializer: VariableInitializer | Tensor | NDArray | ArrayLikeData,
    { shape, dtype, trainable = true, autocast = true, name, aggregation = "none" }: VariableOptions = {},
  ) {
    super();
    this.name = name ?? autoName("Variable");
    if (this.name.includes("/"))
      throw new TypeError(`A variable's name cannot contain "/". Received: ${JSON.stringify(this.name)}.`);
    const parent = currentPath();
    this.path = parent ? `${parent}/${this.name}` : this.name;
    this.trainable = trainable;
    this.autocast = autocast;
    this.aggregation = aggregation;
    if (typeof initializer === "function") {
      if (!shape?.every((dim) => Number.isInteger(dim) && dim >= 0))
        throw new TypeError(
          `Variable "${this.path}" needs a fully known shape for its initializer. Received: [${shape?.map(String) ?? ""}].`,
        );
      this.shape = [...shape];
      this.#dtype = shrink(dtype ?? "float32");
      this.#initializer = initializer as VariableInitializer;
      if (StatelessScope.current.get()) deferInitialization(this);
      else if (!lazyVariables.get()) this.initializeDeferred();
      return;
    }
    this.#initializer = null;
    const value =
      initializer instanceof Tensor ? initializer : fromHost(NDArray.from(initializer as ArrayLikeData, dtype));
    this.shape = value.shape;
    this.#dtype = shrink(dtype ?? value.dtype);
    if (StatelessScope.current.get())
      throw new Error(
        `Variable "${this.path}" cannot be made from a value while a function is being compiled or inferred. Create it in the constructor or in build().`,
      );
    this.#store(value.dtype === this.#dtype ? value : cast(value, this.#dtype));
  }

  /** Runs the initializer, when that has not happened yet. */
  initializeDeferred(): void {
    if (this.#value || !this.#initializer) return;
    const initializer = this.#initializer;
    // Reached from inside shape inference and traces too, where only a real value will do.
    const value = withoutTapes(() => inEagerMode(() => initializer(this.shape, { dtype: this.#dtype })));
    this.#store(this.convert(value));
  }
  get isInitialized(): boolean {
    return this.#value !== null;
  }

  /** The current value: that of the open stateless scope, if any, cast if an autocast scope is open. */
  get value(): Tensor {
    const value = StatelessScope.current.get()?.getCurrentValue(this) ?? this.rawValue;
    const target = this.autocastTo;
    return target && value.dtype !== target ? cast(value, target) : value;
  }
  /** The stored value itself. */
  get rawValue(): Tensor {
    if (!TensorScope.current.get()) this.#readers = "free";
    else if (this.#readers === "none") this.#readers = "scoped";
    return this.stored;
  }
  /** Whether somebody may hold the tensor of the current value. */
  get isExposed(): boolean {
    return this.#readers !== "none";
  }
  /** The stored value, for code that does not keep it past the next `replace`. */
  get stored(): Tensor {
    if (!this.#value) this.initializeDeferred();
    return this.#value!;
  }
  /** The dtype that reads give; see `variableDType` for the stored one. */
  get dtype(): DType {
    return this.autocastTo ?? this.#dtype;
  }
  get variableDType(): DType {
    return this.#dtype;
  }
  private get autocastTo(): DType | null {
    const target = autocastDType.get();
    return target && this.autocast && isFloat(this.#dtype) ? target : null;
  }

  /** `value` in this variable's dtype; throws when its shape differs. */
  convert(value: Tensor): Tensor {
    const fits =
      value.shape.length === this.shape.length &&
      value.shape.every((dim, i) => dim === this.shape[i] || Number.isNaN(dim));
    if (!fits)
      throw new RangeError(
        `Variable "${this.path}" has shape [${this.shape}] and cannot hold a value of shape [${value.shape}].`,
      );
    return value.dtype === this.#dtype ? value : cast(value, this.#dtype);
  }
  /** Replaces the value, or records the update when a stateless scope is open. Returns what was assigned. */
  assign(value: Tensor | Variable | NDArray | ArrayLikeData): Tensor {
    const given =
      value instanceof Tensor ? value : value instanceof Variable ? value.value : fromData(value as ArrayLikeData);
    const converted = this.convert(given);
    const scope = StatelessScope.current.get();
    if (scope) scope.addUpdate(this, converted);
    else this.#store(converted);
    return converted;
  }
  #store(value: Tensor): void {
    const old = this.#value;
    this.#value = detach(new Tensor(engine().share(value.handle), value));
    this.#retire(old);
  }
  /** Takes ownership of a value of this shape and dtype, as a compiled step gives it. */
  replace(handle: Handle): void {
    const old = this.#value;
    // A tensor that nobody has seen may as well hold the new value.
    if (old && this.#readers === "none") return old.swap(handle);
    this.#value = detach(new Tensor(handle, { shape: this.shape, dtype: this.#dtype }));
    this.#retire(old);
  }
  /** Frees a former value at once, unless somebody read it and may hold it still. */
  #retire(old: Tensor | null): void {
    if (this.#readers === "none") old?.dispose();
    else if (this.#readers === "scoped" && old) abandon(old);
    // Else it has been left to the garbage collector from the beginning, which will see who holds it.
    this.#readers = "none";
  }
  async numpy(): Promise<NDArray> {
    return this.stored.data();
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `Variable(path=${this.path}, shape=[${this.shape}], dtype=${this.#dtype}, trainable=${this.trainable})`;
  }
}
