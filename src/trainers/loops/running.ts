import { TRAINER } from "../state.js";
import type { Trainer } from "../trainer.js";

/** Runs a loop of a trainer, refusing a second one of its kind at the same time: both would change the same state. */
export async function exclusively<T>(trainer: Trainer, name: string, loop: () => Promise<T>): Promise<T> {
  const { running } = trainer[TRAINER];
  if (running.has(name))
    throw new Error(`The model "${trainer.name}" is running ${name} already: await the first call before the second.`);
  running.add(name);
  try {
    return await loop();
  } finally {
    running.delete(name);
  }
}

/** Throws unless the model was compiled. */
export function assertCompiled(trainer: Trainer, method: string): void {
  if (!trainer.compiled)
    throw new Error(`You must call \`compile()\` before \`${method}()\`. The model "${trainer.name}" is not compiled.`);
}
