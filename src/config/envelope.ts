import type { Json } from "./field.js";

/** What Python Keras puts around the config of an object. */
export interface Envelope {
  module: string | null;
  class_name: string;
  config: Json;
  registered_name: string | null;
  build_config?: Json;
  compile_config?: Json;
  /** Equal for all occurrences of one object. */
  shared_object_id?: number;
}

/** What callers may write by hand: the rest is worked out. */
export interface PartialEnvelope {
  readonly class_name: string;
  readonly config?: unknown;
  readonly module?: string | null;
  readonly registered_name?: string | null;
  readonly build_config?: unknown;
  readonly compile_config?: unknown;
  readonly shared_object_id?: number;
}

/** Whether `value` is an object of this realm's `Object` or of none: no array, no class instance. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether `value` looks like a saved object. */
export const isEnvelope = (value: unknown): value is PartialEnvelope =>
  isPlainObject(value) && Object.hasOwn(value, "class_name") && typeof value["class_name"] === "string";
