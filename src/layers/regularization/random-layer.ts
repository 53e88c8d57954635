import { configure } from "../../config/configure.js";
import type { Options } from "../../config/fields.js";
import { seed } from "../../random/seed-field.js";
import { SeedGenerator } from "../../random/seed-generator.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = {
  /** Makes the draws reproducible. */
  seed: seed(),
};
/** The options of layers that draw. */
export interface RandomLayerOptions extends LayerOptions, Options<typeof fields> {}

/** Base of layers that are random in training and pass their inputs through otherwise. */
export abstract class RandomLayer extends configure(Layer, "RandomLayer", fields) {
  static override readonly callOptions: readonly string[] = ["training"];
  /** Where draws get their seeds; null in a layer that never draws. */
  seedGenerator: SeedGenerator | null = null;

  constructor(options: RandomLayerOptions) {
    super(options);
    if (this.draws) this.seedGenerator = this.seed instanceof SeedGenerator ? this.seed : new SeedGenerator(this.seed);
    this.supportsMasking = true;
    this.buildAtInit();
  }
  /** Whether training makes a difference at all. */
  protected get draws(): boolean {
    return true;
  }
}
