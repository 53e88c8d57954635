import { configure } from "../config/configure.js";
import { float, type Options } from "../config/fields.js";
import { Adam, type AdamOptions } from "./adam.js";

const fields = { weightDecay: float(0.004) };
export interface AdamWOptions extends Omit<AdamOptions, "weightDecay">, Options<typeof fields> {}

/** Adam with decoupled weight decay (Loshchilov & Hutter, 2019). */
export class AdamW extends configure(Adam, "AdamW", fields) {
  constructor(options: AdamWOptions = {}) {
    super(options);
  }
}
