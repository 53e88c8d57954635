import type * as tfjs from "@tensorflow/tfjs-core";
import { mayBeMissing } from "../may-be-missing.js";

/** TensorFlow.js, once `loadLibrary` has ended. */
export let tf: typeof tfjs;

/** Loads TensorFlow.js; throws where it is not installed. */
export async function loadLibrary(): Promise<void> {
  tf = await import("@tensorflow/tfjs-core").catch(mayBeMissing);
}
