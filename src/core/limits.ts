import { showValue } from "../utils/show-value.js";

interface Platform {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}
const fromEnvironment = (name: string): number | null => {
  const value = Number((globalThis as Platform).process?.env?.[name] ?? NaN);
  return Number.isInteger(value) && value > 0 ? value : null;
};
const limits = {
  epochs: fromEnvironment("KERAS_MAX_EPOCHS"),
  stepsPerEpoch: fromEnvironment("KERAS_MAX_STEPS_PER_EPOCH"),
};
function checked(value: number | null, name: string): number | null {
  if (value === null || (Number.isInteger(value) && value > 0)) return value;
  throw new TypeError(`${name} must be a positive integer, or null for no limit. Received: ${showValue(value)}.`);
}

/** The most epochs that `fit` runs, whatever it is asked for; null for no limit. Starts as the environment's KERAS_MAX_EPOCHS. */
export const maxEpochs = (): number | null => limits.epochs;
/** Limits the epochs of every `fit`, to try a long program out; null lifts the limit. */
export const setMaxEpochs = (value: number | null): void => {
  limits.epochs = checked(value, "maxEpochs");
};
/** The most batches of an epoch of `fit`, `evaluate` and `predict`; null for no limit. Starts as KERAS_MAX_STEPS_PER_EPOCH. */
export const maxStepsPerEpoch = (): number | null => limits.stepsPerEpoch;
/** Limits the batches of every epoch, to try a long program out; null lifts the limit. */
export const setMaxStepsPerEpoch = (value: number | null): void => {
  limits.stepsPerEpoch = checked(value, "maxStepsPerEpoch");
};
