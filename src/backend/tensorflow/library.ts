import type * as tfjs from "@tensorflow/tfjs-core";

/** TensorFlow.js, once `loadLibrary` has ended. */
export let tf: typeof tfjs;

/** Passes an error on. Its being there tells bundlers that an import may fail: who uses another engine need not have the package. */
export function mayBeMissing(error: unknown): never {
  throw error;
}

/** Loads TensorFlow.js; throws where it is not installed. */
export async function loadLibrary(): Promise<void> {
  tf = await import("@tensorflow/tfjs-core").catch(mayBeMissing);
}
