import { configure } from "../../config/configure.js";
import type { Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { borders } from "./border.js";
import { BaseZeroPadding } from "./base-zero-padding.js";
import type { LayerOptions } from "../layer.js";

const fields = { padding: borders(1, 1) };
export interface ZeroPadding1DOptions extends LayerOptions, Options<typeof fields> {
  dataFormat?: string | null | undefined;
}

/** Puts zeros around one spatial axis. */
export class ZeroPadding1D extends configure(BaseZeroPadding, "ZeroPadding1D", fields) {
  constructor(options: ZeroPadding1DOptions = {}) {
    super(options);
  }
}

registerBuiltins("keras.layers", { ZeroPadding1D });
