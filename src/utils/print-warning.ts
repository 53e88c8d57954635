/** Warns as the platform does: with `process.emitWarning` in Node, on the console elsewhere. */
export function warn(message: string): void {
  const { process } = globalThis as { process?: { emitWarning?: (message: string) => void } };
  if (process?.emitWarning) process.emitWarning(message);
  else console.warn(message);
}
