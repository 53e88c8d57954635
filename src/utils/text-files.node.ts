import { copyFile, mkdir, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";

/** A text file that grows. */
export interface TextLog {
  /** Writes text at the end. */
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a file to write at its end, after emptying it unless `append` is set. */
export async function openTextLog(place: string, { append }: { append: boolean }): Promise<TextLog> {
  const file = await open(place, append ? "a" : "w");
  return {
    append: async (text) => void (await file.write(text)),
    close: () => file.close(),
  };
}
/** Whether something is at `place`. */
export const exists = (place: string): Promise<boolean> =>
  stat(place).then(
    () => true,
    () => false,
  );
/** Whether the file at `place` holds anything. */
export const hasText = (place: string): Promise<boolean> =>
  stat(place).then(
    ({ size }) => size > 0,
    () => false,
  );
/** Makes a directory, and those above it. */
export const makeDirectory = async (place: string): Promise<void> => void (await mkdir(place, { recursive: true }));
/** Makes the directory a file is to be in. */
export const makeParentDirectory = (place: string): Promise<void> => makeDirectory(path.dirname(place));
export const readText = (place: string): Promise<string> => readFile(place, "utf8");
export const writeText = (place: string, text: string): Promise<void> => writeFile(place, text);
export const copy = (from: string, to: string): Promise<void> => copyFile(from, to);
/** Removes a directory with all that is in it. */
export const removeDirectory = (place: string): Promise<void> => rm(place, { recursive: true, force: true });
/** A path inside a directory. */
export const join = (...parts: string[]): string => path.join(...parts);
