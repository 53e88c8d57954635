/// <reference lib="esnext.disposable" preserve="true" />

/** `Symbol.dispose`; in browsers that lack it, what compiled `using` declarations look for instead. */
export const dispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");
