/** `keras.callbacks`: what follows training and steps in. */
export { Callback, type CallbackParams, type HookResult } from "./callback.js";
export { CallbackList, type CallbackLike, type CallbackListOptions, type CallbacksOption } from "./callback-list.js";
export { History } from "./history.js";
export { type Hooks, LambdaCallback } from "./lambda-callback.js";
export { ProgbarLogger } from "./progbar-logger.js";
