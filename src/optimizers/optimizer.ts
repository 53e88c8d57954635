import { Configurable, initialValues } from "../config/configurable.js";
import { configure } from "../config/configure.js";
import { autoNamed, bool, float, int, optional, type Options } from "../config/fields.js";
import { floatx } from "../core/settings.js";
import { nameScope } from "../core/scopes.js";
import { StatelessScope } from "../core/stateless-scope.js";
import type { NDArray } from "../core/ndarray.js";
import type { Tensor } from "../core/tensor.js";
import { Variable } from "../core/variable.js";
import { toTensor } from "../core/convert.js";
import { add, divide, floorDivide, mod, multiply, subtract } from "../ops/arithmetic.js";
import { cast } from "../ops/elementwise.js";
import { equal, where } from "../ops/logic.js";
import * as P from "../primitives/index.js";
import { clipGradients } from "./clipping.js";
import { isSchedule, type LearningRate, learningRate } from "./learning-rate.js";
import { Slot } from "./slot.js";

const fields = {
  name: autoNamed(),
  /** Step size: a number, a schedule, or a function that gives it. */
  learningRate: learningRate(0.001),
  /** Decoupled weight decay: each step first takes away this share, times the learning rate. */
  weightDecay: optional(float()),
  /** Scales each gradient down to this norm. */
  clipnorm: optional(float()),
  /** Scales all gradients down to this norm together. */
  globalClipnorm: optional(float()),
  /** Limits each element of the gradients. */
  clipvalue: optional(float()),
  /** Whether to keep a moving average of the weights, which `fit` puts in their place at its end. */
  useEma: bool(false),
  emaMomentum: float(0.99, { min: 0, max: 1 }),
  /** Steps between overwriting the weights with their average; never when null. */
  emaOverwriteFrequency: optional(int({ min: 1 })),
  /** The loss is multiplied, and gradients divided, by this. */
  lossScaleFactor: optional(float()),
  /** Gradients of this many steps are averaged into one update. */
  gradientAccumulationSteps: optional(int({ min: 2 })),
};
export interface OptimizerOptions extends Options<typeof fields> {}

/** Base of optimizers: state per variable, and a rule that updates one variable from its gradient. */
export abstract class Optimizer extends configure(Configurable, "Optimizer", fields) {
  static override readonly module: string = "keras.optimizers";
  /** State in the order it is saved: iteration, learning rate (unless scheduled), then slots. */
  readonly variables: Variable[] = [];
  built = false;
  readonly #iterations: Variable;
  #rate: LearningRate;
  #rateVariable: Variable | null = null;
  #trained: readonly Variable[] = [];
  #averages: Slot | null = null;
  #accumulators: Slot | null = null;
  #noDecay: (variable: Variable) => boolean = () => false;

  constructor(args: OptimizerOptions = {}) {
    super(args);
    const given = [this.clipnorm, this.clipvalue, this.globalClipnorm].filter((limit) => limit !== null);
    if (given.length > 1)
      throw new TypeError(
        `Only one of \`clipnorm\`, \`clipvalue\` and \`globalClipnorm\` can be set. Received: ${given.join(", ")}.`,
      );
    using _ = nameScope(this.name, { caller: this });
    this.#iterations = this.track(
      new Variable(scalar(0, "int32"), {
        shape: [],
        dtype: "int32",
        trainable: false,
        name: "iteration",
        aggregation: "only_first_replica",
      }),
    );
    this.#rate = initialValues(this, fields).learningRate;
    if (typeof this.#rate === "number") this.#makeRateVariable(this.#rate);
  }
  #makeRateVariable(rate: number): void {
    this.#rateVariable = new Variable(scalar(rate, floatx()), {
      shape: [],
      dtype: floatx(),
      trainable: false,
      name: "learning_rate",
      aggregation: "only_first_replica",
    });
    this.variables.splice(1, 0, this.#rateVariable);
  }
  /** Lists a variable as state. */
  protected track(variable: Variable): Variable {
    this.variables.push(variable);
    return variable;
  }

  /** How many updates were made: steps, or groups of accumulated steps. */
  get iterations(): Tensor {
    const steps = this.gradientAccumulationSteps;
    return steps === null ? this.#iterations.value : floorDivide(this.#iterations.value, steps);
  }
  /** The step size: a number, or the schedule. Assigning a number moves the variable of compiled steps too. */
  get learningRate(): LearningRate {
    return this.#rate;
  }
  set learningRate(rate: LearningRate) {
    if (typeof rate === "number" && this.#rateVariable === null) {
      throw new TypeError(
        `The learning rate of "${this.name}" is given by a schedule and cannot be set to ${rate}. Make a new optimizer with a number.`,
      );
    }
    this.#rate = typeof rate === "number" ? Math.fround(rate) : rate;
    if (typeof rate === "number") this.#rateVariable!.assign(toTensor(rate, floatx()));
    else if (this.#rateVariable) {
      this.variables.splice(this.variables.indexOf(this.#rateVariable), 1);
      this.#rateVariable = null;
    }
  }
  /** The step size of the current step as a scalar tensor. */
  protected get currentLearningRate(): Tensor {
    const rate = this.#rate;
    if (typeof rate === "number") return this.#rateVariable!.value;
    return isSchedule(rate) ? toTensor(rate(this.#iterations.value)) : toTensor(rate());
  }

  /** Makes the state for `trained`; happens at the first step when not before. */
  build(trained: readonly Variable[]): void {
    using _ = nameScope(this.name, { caller: this });
    if (this.useEma) [this.#averages] = this.addSlots(trained, ["average"]);
    if (this.gradientAccumulationSteps) [this.#accumulators] = this.addSlots(trained, ["gradient_accumulator"]);
    this.buildSlots(trained);
    this.#trained = trained;
    this.built = true;
  }
  /** Makes the slots of the update rule. */
  protected abstract buildSlots(trained: readonly Variable[]): void;
  /** Runs before the variables of a step are updated. */
  protected beginUpdate(): void {}
  /** Updates one variable from its gradient. */
  protected abstract updateStep(gradient: Tensor, variable: Variable, learningRate: Tensor): void;

  /** One slot a name, with a variable for each trained one, zero unless `initial` gives a value; variables of one group are interleaved. */
  protected addSlots<const N extends readonly string[]>(
    trained: readonly Variable[],
    names: N,
    initial?: (name: N[number], reference: Variable) => Tensor | null,
  ): { [I in keyof N]: Slot } {
    const slots = names.map((name) => new Slot(name));
    for (const variable of trained) {
      if (variable.overwriteWithGradient) continue;
      for (const slot of slots)
        this.track(slot.create(variable, (reference) => initial?.(slot.name, reference) ?? null));
    }
    return slots as { [I in keyof N]: Slot };
  }

  /** Keeps variables out of weight decay: those given, and those whose name a pattern matches. */
  excludeFromWeightDecay({
    varList = [],
    varNames = [],
  }: { varList?: readonly Variable[]; varNames?: readonly string[] } = {}): void {
    if (this.built) throw new Error("excludeFromWeightDecay must be called before the optimizer is built.");
    const patterns = varNames.map((name) => new RegExp(name));
    this.#noDecay = (variable) => varList.includes(variable) || patterns.some((pattern) => pattern.test(variable.name));
  }
  /** The loss to differentiate. */
  scaleLoss(loss: Tensor): Tensor {
    return this.lossScaleFactor === null ? loss : multiply(loss, this.lossScaleFactor);
  }
  /** Makes one step from pairs of gradient and variable. */
  applyGradients(pairs: Iterable<readonly [Tensor | null, Variable]>): void {
    const list = [...pairs];
    this.apply(
      list.map(([g]) => g),
      list.map(([, v]) => v),
    );
  }
  /**
   * Makes one step: clips, decays, updates, constrains and counts.
   * @throws Error when there is no gradient at all, or a variable the optimizer was not built with.
   */
  apply(gradients: readonly (Tensor | null)[], trained: readonly Variable[] = this.#trained): void {
    if (gradients.length === 0) return;
    if (gradients.length !== trained.length)
      throw new RangeError(`apply: received ${gradients.length} gradients for ${trained.length} variables.`);
    if (!this.built) this.build(trained);
    for (const variable of trained)
      if (!this.#trained.includes(variable))
        throw new Error(
          `Unknown variable "${variable.path}": an optimizer only updates the variables it was built with. Make a new optimizer for others.`,
        );
    const pairs = gradients.flatMap((g, i) => (g ? [[g, trained[i]!] as const] : []));
    if (pairs.length === 0) throw new Error("No gradients provided for any variable.");
    using _ = nameScope(this.name, { caller: this });
    for (const [g, v] of pairs) if (v.overwriteWithGradient) v.assign(g);
    const descending = pairs.filter(([, v]) => !v.overwriteWithGradient);
    const factor = this.lossScaleFactor;
    this.#step(
      descending.map(([g]) => (factor === null ? g : divide(g, factor))),
      descending.map(([, v]) => v),
    );
    for (const [, variable] of pairs) if (variable.constraint) variable.assign(variable.constraint(variable.value));
    this.#iterations.assign(add(this.#iterations.value, 1));
  }
  #step(gradients: readonly Tensor[], trained: readonly Variable[]): void {
    if (gradients.length === 0) return;
    const steps = this.gradientAccumulationSteps;
    if (steps === null) this.#update(gradients, trained);
    else this.#accumulate(gradients, trained, steps);
    if (this.useEma) this.#updateAverages(trained);
  }
  #update(gradients: readonly Tensor[], trained: readonly Variable[]): void {
    const clipped = clipGradients(gradients, this);
    const rate = this.currentLearningRate;
    this.decayWeights(trained, rate);
    this.beginUpdate();
    trained.forEach((variable, i) => this.updateStep(clipped[i]!, variable, cast(rate, variable.dtype)));
  }
  /** The weight decay of a variable; null for none. */
  protected weightDecayOf(_variable: Variable): number | null {
    return this.weightDecay;
  }
  protected decayWeights(trained: readonly Variable[], rate: Tensor): void {
    for (const variable of trained) {
      const decay = this.weightDecayOf(variable);
      if (decay === null || this.#noDecay(variable)) continue;
      const share = multiply(cast(rate, variable.dtype), decay);
      variable.assign(subtract(variable.value, multiply(variable.value, share)));
    }
  }
  // Compiled steps cannot branch on the count: the update is computed in every step and kept in each n-th.
  #accumulate(gradients: readonly Tensor[], trained: readonly Variable[], steps: number): void {
    const due = equal(mod(add(this.#iterations.value, 1), steps), 0);
    const sums = gradients.map((g, i) => add(g, this.#accumulators!.of(trained[i]!).value));
    let updates: ReadonlyMap<Variable, Tensor>;
    {
      using scope = new StatelessScope({ initializeVariables: false });
      this.#update(
        sums.map((s) => divide(s, steps)),
        trained,
      );
      updates = scope.updates;
    }
    for (const [variable, value] of updates) variable.assign(where(due, value, variable.value));
    sums.forEach((s, i) => this.#accumulators!.of(trained[i]!).assign(where(due, multiply(s, 0), s)));
  }
  #updateAverages(trained: readonly Variable[]): void {
    const first = cast(equal(this.iterations, 0), floatx());
    const momentum = multiply(subtract(1, first), this.emaMomentum);
    const frequency = this.emaOverwriteFrequency;
    for (const variable of trained) {
      const average = this.#averages!.of(variable);
      const m = cast(momentum, variable.dtype);
      average.assign(add(multiply(m, average.value), multiply(subtract(1, m), variable.value)));
      if (frequency === null) continue;
      const due = equal(mod(add(this.iterations, 1), frequency), 0);
      variable.assign(where(due, average.value, variable.value));
    }
  }
  /** Puts averaged weights in place of the trained ones, at the end of training. */
  finalizeVariableValues(trained: readonly Variable[]): void {
    if (!this.useEma) return;
    for (const variable of trained) variable.assign(this.#averages!.of(variable).value);
  }

  /** Values of `variables`, as files keep them. */
  async saveOwnVariables(): Promise<NDArray[]> {
    return Promise.all(this.variables.map((variable) => variable.numpy()));
  }
  /** Takes saved values over; returns false, changing nothing, when their number differs. */
  loadOwnVariables(values: readonly NDArray[]): boolean {
    if (values.length !== this.variables.length) return false;
    this.variables.forEach((variable, i) => variable.assign(values[i]!));
    const at = this.#rateVariable ? this.variables.indexOf(this.#rateVariable) : -1;
    if (at >= 0) this.#rate = Math.fround(values[at]!.numbers()[0]!);
    return true;
  }
}
const scalar = (value: number, dtype: "int32" | ReturnType<typeof floatx>) => (): Tensor => P.full([], value, dtype);
