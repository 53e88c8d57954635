import { NDArray } from "../../core/ndarray.js";
import { isInteger } from "../../core/dtype.js";
import { TRAINER } from "../state.js";
import type { Trainer } from "../trainer.js";
import type { DataAdapter } from "./adapter.js";
import { ArrayAdapter } from "./array-adapter.js";

/**
 * Looks through integer labels before training: one that is no class of the output would make the loss NaN without a word.
 * @throws RangeError that names the label and the number of classes.
 */
export function checkLabels(trainer: Trainer, adapter: DataAdapter): void {
  if (!(adapter instanceof ArrayAdapter)) return;
  const entries = trainer[TRAINER].compileLoss?.entries ?? [];
  for (const { path, classes } of entries) {
    if (classes === null) continue;
    const y = path.reduce<unknown>((part, key) => (part as Record<string | number, unknown> | null)?.[key], adapter.y);
    if (y instanceof NDArray && isInteger(y.dtype)) assertClasses(y, classes);
  }
}

function assertClasses({ data, isContiguous }: NDArray, classes: number): void {
  if (!isContiguous) return;
  for (let i = 0; i < data.length; i++) {
    const label = data[i] as number;
    if (label < 0 || label >= classes)
      throw new RangeError(
        `The label ${label} (at position ${i} of \`y\`) is no class of the output, which has ${classes}: labels must be from 0 to ` +
          `${classes - 1}. Change the labels, or the number of units of the last layer.`,
      );
  }
}
