import { configure } from "../../config/configure.js";
import type { Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { borders } from "./border.js";
import { BaseZeroPadding } from "./base-zero-padding.js";
import type { LayerOptions } from "../layer.js";

const fields = { padding: borders(2, 1) };
export interface ZeroPadding2DOptions extends LayerOptions, Options<typeof fields> {
  dataFormat?: string | null | undefined;
}

/** Puts zeros around two spatial axes. */
export class ZeroPadding2D extends configure(BaseZeroPadding, "ZeroPadding2D", fields) {
  constructor(options: ZeroPadding2DOptions = {}) {
    super(options);
  }
}

registerBuiltins("keras.layers", { ZeroPadding2D });
