import { configure } from "../config/configure.js";
import { deserializeKerasObject } from "../config/deserialize.js";
import { isEnvelope } from "../config/envelope.js";
import type { Config } from "../config/field.js";
import { any, derived, float, type Options, positiveInt } from "../config/fields.js";
import { wrongValue } from "../config/make-field.js";
import type { DType } from "../core/dtype.js";
import { StatelessScope } from "../core/stateless-scope.js";
import type { Tensor } from "../core/tensor.js";
import { Variable } from "../core/variable.js";
import { add, divide, multiply } from "../ops/arithmetic.js";
import { cast, isfinite } from "../ops/elementwise.js";
import { equal, logicalAnd, where } from "../ops/logic.js";
import { all } from "../ops/reductions.js";
import * as P from "../primitives/index.js";
import type { LearningRate } from "./learning-rate.js";
import { Optimizer } from "./optimizer.js";

const fields = {
  /** The optimizer that makes the updates. */
  innerOptimizer: derived(any<Optimizer>(), (value, name): Optimizer => {
    const optimizer: unknown = isEnvelope(value) ? deserializeKerasObject(value) : value;
    if (!(optimizer instanceof Optimizer)) throw wrongValue(name, "an optimizer", value);
    return optimizer;
  }),
  /** The first factor of the loss. */
  initialScale: float(2 ** 15),
  /** Steps without overflow after which the factor doubles. */
  dynamicGrowthSteps: positiveInt(2000),
};
export interface LossScaleOptimizerOptions extends Omit<Options<typeof fields>, "innerOptimizer"> {
  name?: string | null | undefined;
}
/** Options of all optimizers that belong on the inner one. */
const ofInner = [
  "weightDecay",
  "clipnorm",
  "globalClipnorm",
  "clipvalue",
  "useEma",
  "emaOverwriteFrequency",
  "lossScaleFactor",
  "gradientAccumulationSteps",
] as const;

/**
 * Multiplies the loss so that gradients do not vanish in float16, and divides them again (Micikevicius et al., 2018). Steps whose
 * gradients overflow are left out and halve the factor; it doubles after many without.
 */
export class LossScaleOptimizer extends configure(Optimizer, "LossScaleOptimizer", fields) {
  #steps: Variable | null = null;
  #scale: Variable | null = null;

  constructor(innerOptimizer: Optimizer, options: LossScaleOptimizerOptions = {}) {
    super({ innerOptimizer, ...options, learningRate: 0 });
    const given = ofInner.find((name) => (this[name] ?? false) !== false);
    if (given)
      throw new TypeError(`\`LossScaleOptimizer\` does not know \`${given}\`: set it on the inner optimizer instead.`);
  }
  override get learningRate(): LearningRate {
    return this.innerOptimizer.learningRate;
  }
  override set learningRate(rate: LearningRate) {
    this.innerOptimizer.learningRate = rate;
  }
  override get iterations(): Tensor {
    return this.innerOptimizer.iterations;
  }
  override getConfig(): Config {
    const { name, inner_optimizer, initial_scale, dynamic_growth_steps } = super.getConfig();
    return { name, inner_optimizer, initial_scale, dynamic_growth_steps };
  }
  protected override buildSlots(trained: readonly Variable[]): void {
    const scalar = (name: string, value: number, dtype: DType): Variable =>
      this.track(new Variable(() => P.full([], value, dtype), { shape: [], dtype, trainable: false, name }));
    this.#steps = scalar("step_counter", 0, "int32");
    this.#scale = scalar("dynamic_scale", this.initialScale, "float32");
    if (!this.innerOptimizer.built) this.innerOptimizer.build(trained);
    for (const variable of this.innerOptimizer.variables) this.track(variable);
  }
  protected override updateStep(): void {
    throw new Error("LossScaleOptimizer leaves updates to its inner optimizer.");
  }
  override scaleLoss(loss: Tensor): Tensor {
    return multiply(loss, this.#scale ? cast(this.#scale.value, loss.dtype) : this.initialScale);
  }
  override apply(gradients: readonly (Tensor | null)[], trained?: readonly Variable[]): void {
    if (gradients.length === 0) return;
    if (!this.built) this.build(trained ?? []);
    const [steps, scale] = [this.#steps!, this.#scale!];
    const present = gradients.filter((gradient) => gradient !== null);
    // It says what is wrong.
    if (present.length === 0) return this.innerOptimizer.apply(gradients, trained);
    const finite = present.map((gradient) => all(isfinite(gradient))).reduce((every, one) => logicalAnd(every, one));
    const unscaled = gradients.map((gradient, i) =>
      gradient === null || trained?.[i]?.overwriteWithGradient
        ? gradient
        : divide(gradient, cast(scale.value, gradient.dtype)),
    );
    // Compiled steps cannot branch: the update is computed in every step and kept where all is finite.
    let updates: ReadonlyMap<Variable, Tensor>;
    {
      using scope = new StatelessScope({ initializeVariables: false });
      this.innerOptimizer.apply(unscaled, trained);
      updates = scope.updates;
    }
    for (const [variable, value] of updates) variable.assign(where(finite, value, variable.value));
    const due = equal(steps.value, this.dynamicGrowthSteps - 1);
    scale.assign(multiply(scale.value, where(finite, where(due, 2, 1), 0.5)));
    steps.assign(where(finite, where(due, 0, add(steps.value, 1)), 0));
  }
  override finalizeVariableValues(trained: readonly Variable[]): void {
    this.innerOptimizer.finalizeVariableValues(trained);
  }
}
