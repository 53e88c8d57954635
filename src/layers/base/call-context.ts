import { Dynamic } from "../../core/dynamic.js";
import type { Layer } from "../layer.js";

/** What the calls below one outermost call share. */
export interface CallContext {
  /** The outermost layer. */
  readonly entry: Layer;
  /** Values of context arguments, such as `training`, that were passed explicitly. */
  readonly values: Map<string, unknown>;
}

/** The context of the outermost call that is running; null outside any. */
export const callContext = new Dynamic<CallContext | null>(null);

/**
 * The value of a context argument for a call: the explicit one, which then holds for the calls inside as well (even null), else that of
 * the outer calls. Undefined counts as absent.
 */
export function resolveContextArgument(
  name: string,
  options: Readonly<Record<string, unknown>>,
  { values }: CallContext,
): unknown {
  if (options[name] === undefined) return values.get(name);
  values.set(name, options[name]);
  return options[name];
}
