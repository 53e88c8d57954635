import { configure } from "../../config/configure.js";
import type { Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { borders } from "./border.js";
import { BaseZeroPadding } from "./base-zero-padding.js";
import type { LayerOptions } from "../layer.js";

const fields = { padding: borders(3, 1) };
export interface ZeroPadding3DOptions extends LayerOptions, Options<typeof fields> {
  dataFormat?: string | null | undefined;
}

/** Puts zeros around three spatial axes. */
export class ZeroPadding3D extends configure(BaseZeroPadding, "ZeroPadding3D", fields) {
  constructor(options: ZeroPadding3DOptions = {}) {
    super(options);
  }
}

registerBuiltins("keras.layers", { ZeroPadding3D });
