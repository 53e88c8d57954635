import { configure } from "../../config/configure.js";
import type { Arguments } from "../../config/fields.js";
import type { Tensor } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { dataFormat, spatialAxes } from "../data-format.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";
import { borders } from "./border.js";

const fields = { padding: borders(0, 0), dataFormat: dataFormat() };

/** Base of layers that put zeros around the spatial axes. */
export abstract class BaseZeroPadding extends configure(Layer, "BaseZeroPadding", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: Arguments<typeof fields> & LayerOptions) {
    super(options);
    this.inputSpec = new InputSpec({ ndim: this.padding.length + 2 });
  }
  override call(inputs: Tensor): Tensor {
    const [low, high, interior] = [0, 0, 0].map(() => inputs.shape.map(() => 0)) as [number[], number[], number[]];
    spatialAxes(this.dataFormat, this.padding.length).forEach((axis, i) => {
      [low[axis], high[axis]] = this.padding[i]!;
    });
    return P.pad(inputs, { low, high, interior, value: 0 });
  }
}
