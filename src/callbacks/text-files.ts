import { hasFiles } from "../utils/files.js";
import type * as TextFiles from "../utils/text-files.node.js";

/** What callbacks do with files, in Node. Throws elsewhere, naming the callback. */
export async function textFiles(callback: string): Promise<typeof TextFiles> {
  if (!hasFiles())
    throw new Error(
      `${callback} needs a file system, which browsers do not have. Use hooks of your own, which may be async.`,
    );
  return import("../utils/text-files.node.js");
}
