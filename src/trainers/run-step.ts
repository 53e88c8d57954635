import { isBackgroundStepsEnabled } from "../core/background-steps.js";
import { engine } from "../core/engine.js";
import { abandon, Tensor, TensorScope } from "../core/tensor.js";
import { flatten } from "../tree/index.js";
import { dispose } from "../utils/dispose.js";
import type { StepFunction } from "./state.js";
import { toDevice } from "./to-device.js";
import type { HostBatch } from "./types.js";

/**
 * Runs a step on a batch and gives its results to `take` inside a scope that frees them afterwards. A promise only where the step runs off
 * the main thread: where that was asked for, the step is compiled and the engine can.
 */
export function runStep<R>(step: StepFunction<R>, batch: HostBatch, take: (results: R) => void): Promise<void> | null {
  if (step.async && isBackgroundStepsEnabled() && engine().runsInBackground)
    return runInBackground(step.async, batch, take);
  // Written out: what `using` is compiled to makes several objects, and this runs in every step.
  const scope = new TensorScope();
  try {
    take(step(toDevice(batch)));
  } finally {
    scope[dispose]();
  }
  return null;
}

type BackgroundStep<R> = NonNullable<StepFunction<R>["async"]>;

async function runInBackground<R>(
  step: BackgroundStep<R>,
  batch: HostBatch,
  take: (results: R) => void,
): Promise<void> {
  const results = await started(step, batch);
  using _ = new TensorScope();
  for (const leaf of flatten<unknown>(results)) if (leaf instanceof Tensor) abandon(leaf);
  take(results);
}

/** Scopes never span an await: a step that has started holds what it reads for as long as it needs it. */
function started<R>(step: BackgroundStep<R>, batch: HostBatch): Promise<R> {
  using _ = new TensorScope();
  return step(toDevice(batch));
}
