/** Stands for `node:path` in pages, for addresses. */
export const join = (...parts: readonly string[]): string => parts.join("/").replace(/([^:])\/{2,}/g, "$1/");
