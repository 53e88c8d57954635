interface OutputStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}
interface Platform {
  readonly process?: { readonly platform?: string; readonly stdout?: OutputStream };
  readonly console?: { log(text: string): void };
}
const platform = globalThis as Platform;

let interactive = true;
/** Lets progress bars and messages of training print to the standard output, which is the default. */
export function enableInteractiveLogging(): void {
  interactive = true;
}
/** Keeps progress bars and messages of training from printing. */
export function disableInteractiveLogging(): void {
  interactive = false;
}
/** Whether progress bars and messages of training are printed. */
export const isInteractiveLoggingEnabled = (): boolean => interactive;

/** Prints a message for users: to the standard output in Node, line by line on the console elsewhere. */
export function printMsg(message: string, { lineBreak = true }: { lineBreak?: boolean } = {}): void {
  if (!interactive) return;
  const stdout = platform.process?.stdout;
  if (stdout) stdout.write(lineBreak ? `${message}\n` : message);
  // A console writes whole lines and knows no cursor.
  else if (message.trim()) platform.console?.log(withoutControls(message));
}

const withoutControls = (text: string): string => text.replace(/\x1b\[\d+m|[\b\r]/g, "").replace(/^\n+|\n+$/g, "");

/** Whether what was printed on the current line can be printed over: on terminals, and by Python's rule on any POSIX system. */
export function canOverprint(): boolean {
  const { process } = platform;
  if (!process?.stdout) return false;
  return process.stdout.isTTY === true || (process.platform !== undefined && process.platform !== "win32");
}
