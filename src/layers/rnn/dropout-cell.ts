import { configure } from "../../config/configure.js";
import type { Tensor } from "../../core/tensor.js";
import { onesLike } from "../../ops/creation.js";
import { dropout } from "../../random/random.js";
import { type Seed, SeedGenerator } from "../../random/seed-generator.js";
import { Layer } from "../layer.js";

/** The generator that a cell draws from. */
export const generatorOf = (seed: Seed): SeedGenerator =>
  seed instanceof SeedGenerator ? seed : new SeedGenerator(seed);

/** Base of cells that leave out parts of inputs and state in training: drawn once, masks serve all steps until they are reset. */
export abstract class DropoutCell extends configure(Layer, "DropoutCell", {}) {
  static override readonly callArguments: readonly string[] = ["inputs", "states"];
  static override readonly callOptions: readonly string[] = ["training"];
  // Fields of the subclasses, at their places among the arguments.
  declare readonly dropout: number;
  declare readonly recurrentDropout: number;
  /** Where masks get their seeds. Subclasses make it when Python's do, so that unseeded weights begin with the same values. */
  abstract readonly seedGenerator: SeedGenerator;
  #inputMasks: readonly Tensor[] | null = null;
  #stateMasks: readonly Tensor[] | null = null;

  /** How many masks a call takes: one for each product that is made apart. */
  protected abstract get maskCount(): number;

  /** Masks of the inputs of a step; null without dropout. */
  getDropoutMask(stepInput: Tensor): readonly Tensor[] | null {
    return (this.#inputMasks ??= this.#draw(stepInput, this.dropout));
  }
  /** Masks of the state; null without dropout. */
  getRecurrentDropoutMask(state: Tensor): readonly Tensor[] | null {
    return (this.#stateMasks ??= this.#draw(state, this.recurrentDropout));
  }
  /** Forgets the masks of the inputs, so that the next step draws anew. */
  resetDropoutMask(): void {
    this.#inputMasks = null;
  }
  /** Forgets the masks of the state. */
  resetRecurrentDropoutMask(): void {
    this.#stateMasks = null;
  }
  #draw(like: Tensor, rate: number): readonly Tensor[] | null {
    if (rate === 0) return null;
    const ones = onesLike(like);
    return Array.from({ length: this.maskCount }, () => dropout(ones, rate, { seed: this.seedGenerator }));
  }
}
