import { configure } from "../../config/configure.js";
import type { Arguments, Config } from "../../config/fields.js";
import type { ImageDataFormat } from "../../core/settings.js";
import type { Tensor } from "../../core/tensor.js";
import { dropout } from "../../random/random.js";
import { InputSpec } from "../input-spec.js";
import { rateField } from "./dropout.js";
import { RandomLayer, type RandomLayerOptions } from "./random-layer.js";

/** Base of layers that drop whole channels: all positions of a channel share one draw. */
export abstract class BaseSpatialDropout extends configure(RandomLayer, "BaseSpatialDropout", rateField) {
  constructor(options: Arguments<typeof rateField> & RandomLayerOptions) {
    super(options);
    this.inputSpec = new InputSpec({ ndim: this.rank + 2 });
  }
  protected override get draws(): boolean {
    return this.rate > 0;
  }
  /** Number of spatial axes. */
  protected get rank(): number {
    return 1;
  }
  /** Where the inputs keep their channels. */
  protected get format(): ImageDataFormat {
    return "channels_last";
  }

  override call(inputs: Tensor, { training = false }: { training?: boolean } = {}): Tensor {
    if (!training || !this.seedGenerator) return inputs;
    const channels = this.format === "channels_first" ? 1 : inputs.ndim - 1;
    const noiseShape = inputs.shape.map((dim, i) => (i === 0 || i === channels ? dim : 1));
    return dropout(inputs, this.rate, { noiseShape, seed: this.seedGenerator });
  }
  // Python Keras saves no more than this.
  override getConfig(): Config {
    const { trainable: _, ...config } = super.getConfig();
    return { ...config, dtype: this.dtype };
  }
}
