let enabled = false;
/**
 * Has compiled steps of `fit`, `evaluate` and `predict` run off the main thread, where the engine can. The event loop then never waits for
 * a step; reading and predicting go on meanwhile, on the weights from before it.
 */
export const enableBackgroundSteps = (): void => {
  enabled = true;
};
/** Has steps run on the main thread, as by default: the event loop has its turn between two steps, every 50 ms if they are short. */
export const disableBackgroundSteps = (): void => {
  enabled = false;
};
/** Whether steps run off the main thread where the engine can. */
export const isBackgroundStepsEnabled = (): boolean => enabled;
