import { Dynamic } from "../core/dynamic.js";
import { onClearSession } from "../core/settings.js";

let unsafe = false;
const scoped = new Dynamic<boolean | null>(null);

/** Turns safe mode off for all loading until the session is cleared. Only for files from sources you trust. */
export const enableUnsafeDeserialization = (): void => {
  unsafe = true;
};
/** Whether loading refuses what could run code: as the open scope says, else as set globally; null when neither says anything. */
export const inSafeMode = (): boolean | null => scoped.get() ?? (unsafe ? false : null);
/** Runs `fn` with safe mode on or off. */
export const withSafeMode = <T>(safeMode: boolean, fn: () => T): T => scoped.run(safeMode, fn);

onClearSession(() => {
  unsafe = false;
});
