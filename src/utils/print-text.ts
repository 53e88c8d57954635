/** Prints text on the console. */
export const printText = (text: string): void => console.log(text);

/** Columns of the terminal; 80 where there is none. */
export function terminalColumns(): number {
  const { process } = globalThis as {
    process?: { env?: Record<string, string | undefined>; stdout?: { columns?: number } };
  };
  const fromEnvironment = Number(process?.env?.["COLUMNS"]);
  return fromEnvironment > 0 ? fromEnvironment : (process?.stdout?.columns ?? 80);
}
