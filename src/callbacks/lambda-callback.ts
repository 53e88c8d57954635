import { showValue } from "../utils/show-value.js";
import { snakeToCamel } from "../utils/naming.js";
import { Callback, type HookName, hookNames } from "./callback.js";

/** Hooks as functions. */
export type Hooks = { readonly [H in HookName]?: Callback[H] };

/** A callback made of functions: `new LambdaCallback({ onEpochEnd: (epoch, logs) => console.log(epoch, logs) })`. */
export class LambdaCallback extends Callback {
  constructor(hooks: Hooks = {}) {
    super();
    for (const [name, hook] of Object.entries(hooks) as [HookName, unknown][]) {
      if (!hookNames.includes(name)) {
        const camel = snakeToCamel(name) as HookName;
        const hint = hookNames.includes(camel) ? `Did you mean \`${camel}\`? ` : "";
        throw new TypeError(`There is no callback hook \`${name}\`. ${hint}Known hooks: ${hookNames.join(", ")}.`);
      }
      if (hook === null || hook === undefined) continue;
      if (typeof hook !== "function")
        throw new TypeError(`The callback hook \`${name}\` must be a function. Received: ${showValue(hook)}.`);
      Object.defineProperty(this, name, { value: hook, configurable: true, writable: true });
    }
  }
}
