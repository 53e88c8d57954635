import { configure } from "../config/configure.js";
import { bool, float, list, number, optional, type Options, positiveInt, string } from "../config/fields.js";
import type { Tensor } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { add, divide, multiply, power, sqrt, square, subtract } from "../ops/arithmetic.js";
import { cast } from "../ops/elementwise.js";
import { matmul } from "../ops/matmul.js";
import { swapaxes } from "../ops/rearranging.js";
import { sum } from "../ops/reductions.js";
import { Optimizer, type OptimizerOptions } from "./optimizer.js";
import { Slot } from "./slot.js";

const fields = {
  weightDecay: optional(float(), 0.004),
  adamBeta1: float(0.9, { savedAs: "adam_beta_1" }),
  adamBeta2: float(0.999, { savedAs: "adam_beta_2" }),
  /** Weight decay of variables that Adam updates. */
  adamWeightDecay: optional(float(), 0.004),
  epsilon: float(1e-7),
  /** Patterns of paths whose variables Adam updates. */
  excludeLayers: optional(list(string(), []), []),
  /** Whether Adam updates variables with "embedding" in their path. */
  excludeEmbeddings: bool(true),
  /** Coefficients of the iteration's polynomial. */
  muonA: float(3.4445),
  muonB: float(-4.775),
  muonC: float(2.0315),
  /** Adam's learning rate, as a multiple of the other. */
  adamLrRatio: number(1),
  momentum: float(0.95),
  /** Number of iterations. */
  nsSteps: positiveInt(5),
  nesterov: bool(true),
  /** Root mean square of steps, as of Adam's; null leaves steps as they are. */
  rmsRate: optional(float(), 0.2),
};
export interface MuonOptions extends Omit<OptimizerOptions, "weightDecay">, Options<typeof fields> {}

/**
 * Steps of matrices along their momentum made orthogonal, by Newton-Schulz iterations (Jordan et al., 2024), with the sizes of
 * Liu et al. (2025); other variables are updated by Adam.
 */
export class Muon extends configure(Optimizer, "Muon", fields) {
  readonly #momentums = new Slot("momentum");
  readonly #velocities = new Slot("velocity");

  constructor(options: MuonOptions = {}) {
    super(options);
  }
  private usesAdam({ shape, path }: Variable): boolean {
    if (shape.length !== 2 || (this.excludeEmbeddings && path.toLowerCase().includes("embedding"))) return true;
    return (this.excludeLayers ?? []).some((pattern) => new RegExp(pattern).test(path));
  }
  protected override weightDecayOf(variable: Variable): number | null {
    return this.usesAdam(variable) ? this.adamWeightDecay : this.weightDecay;
  }
  protected override buildSlots(trained: readonly Variable[]): void {
    for (const variable of trained) {
      if (variable.overwriteWithGradient) continue;
      this.track(this.#momentums.create(variable));
      if (this.usesAdam(variable)) this.track(this.#velocities.create(variable));
    }
  }
  protected override updateStep(gradient: Tensor, variable: Variable, learningRate: Tensor): void {
    if (this.usesAdam(variable)) this.stepByAdam(gradient, variable, multiply(learningRate, this.adamLrRatio));
    else this.stepByMuon(gradient, variable, learningRate);
  }
  private stepByAdam(gradient: Tensor, variable: Variable, learningRate: Tensor): void {
    const step = cast(add(this.iterations, 1), variable.dtype);
    const [m, v] = [this.#momentums.of(variable), this.#velocities.of(variable)];
    const correction = divide(sqrt(subtract(1, power(this.adamBeta2, step))), subtract(1, power(this.adamBeta1, step)));
    m.assign(add(m.value, multiply(subtract(gradient, m.value), 1 - this.adamBeta1)));
    v.assign(add(v.value, multiply(subtract(square(gradient), v.value), 1 - this.adamBeta2)));
    const change = multiply(m.value, multiply(learningRate, correction));
    variable.assign(subtract(variable.value, divide(change, add(sqrt(v.value), this.epsilon))));
  }
  private stepByMuon(gradient: Tensor, variable: Variable, learningRate: Tensor): void {
    const m = this.#momentums.of(variable);
    m.assign(add(m.value, add(gradient, multiply(m.value, this.momentum - 1))));
    const ahead = this.nesterov ? add(gradient, multiply(m.value, this.momentum)) : m.value;
    const size = this.rmsRate === null ? 1 : Math.sqrt(Math.max(...variable.shape)) * this.rmsRate;
    const update = multiply(learningRate, this.orthogonal(ahead));
    variable.assign(subtract(variable.value, multiply(update, size)));
  }
  /** About the nearest matrix whose rows (or columns, if there are fewer) are orthogonal and of length 1. */
  private orthogonal(matrix: Tensor): Tensor {
    const isTall = matrix.shape[0]! > matrix.shape[1]!;
    const turn = (x: Tensor): Tensor => swapaxes(x, -2, -1);
    let x: Tensor = isTall ? turn(matrix) : matrix;
    x = divide(x, add(sqrt(sum(square(x))), 1e-7));
    for (let i = 0; i < this.nsSteps; i++) {
      const a = matmul(x, turn(x));
      const polynomial = add(multiply(a, this.muonB), matmul(multiply(a, this.muonC), a));
      x = add(multiply(x, this.muonA), matmul(polynomial, x));
    }
    return isTall ? turn(x) : x;
  }
}
