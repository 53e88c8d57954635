import { checkOptions } from "../trainers/check-options.js";
import type { TextLog } from "../utils/text-files.node.js";
import { pythonFloat } from "../utils/python-format.js";
import { Callback, type Logs } from "./callback.js";
import { textFiles } from "./text-files.js";

export interface CSVLoggerOptions {
  readonly separator?: string;
  /** Whether an existing file is continued. */
  readonly append?: boolean;
}

/** Writes the logs of every epoch to a CSV file, one row each: what Python Keras writes. Only in Node. */
export class CSVLogger extends Callback {
  readonly filename: string;
  readonly separator: string;
  readonly append: boolean;
  #file: TextLog | null = null;
  #keys: readonly string[] | null = null;
  #needsHeader = true;

  constructor(filename: string | URL, options: CSVLoggerOptions = {}) {
    checkOptions("CSVLogger", options, ["separator", "append"]);
    super();
    this.filename = String(filename);
    this.separator = options.separator ?? ",";
    this.append = options.append ?? false;
  }

  override async onTrainBegin(): Promise<void> {
    const { hasText, openTextLog } = await textFiles("CSVLogger");
    if (this.append) this.#needsHeader = !(await hasText(this.filename));
    await this.#file?.close();
    this.#file = await openTextLog(this.filename, { append: this.append });
    this.#keys = null;
  }
  override async onEpochEnd(epoch: number, logs: Logs = {}): Promise<void> {
    let text = "";
    if (!this.#keys) {
      const names = Object.keys(logs).sort();
      // Columns for validation exist from the start, in case it comes later.
      const validated = names.some((name) => name.startsWith("val_"));
      this.#keys = validated ? names : [...names, ...names.map((name) => `val_${name}`)];
      if (this.#needsHeader) text += this.#row(["epoch", ...this.#keys]);
    }
    text += this.#row([String(epoch), ...this.#keys.map((name) => show(logs[name]))]);
    await this.#file!.append(text);
  }
  override async onTrainEnd(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }
  #row(cells: readonly string[]): string {
    const quoted = cells.map((cell) =>
      cell.includes(this.separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
    );
    return `${quoted.join(this.separator)}\r\n`;
  }
}

function show(value: number | number[] | undefined): string {
  if (value === undefined) return "NA";
  return Array.isArray(value) ? `"[${value.map(pythonFloat).join(", ")}]"` : pythonFloat(value);
}
