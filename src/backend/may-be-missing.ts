/** Passes an error on. Its being there tells bundlers that an import may fail: who uses another engine need not have the package. */
export function mayBeMissing(error: unknown): never {
  throw error;
}
