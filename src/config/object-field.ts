import type { Field, FieldOptions } from "./field.js";
import type { Identifier, Lookup } from "./lookup.js";
import { makeField, wrongValue } from "./make-field.js";

/** null, where it may be passed: because it is the fallback, or because it stands for an object. */
type Nullable<Fallback, WhenNull> = [WhenNull] extends [null] ? Extract<Fallback, null> : null;
/** What null becomes. */
type Nothing<Fallback, WhenNull> = [WhenNull] extends [null] ? Extract<Fallback, null> : never;

/** A lookup, or where to get it once it is needed. */
export type LookupSource<T, Name extends string, WhenNull extends T | null> =
  Lookup<T, Name, WhenNull> | (() => Lookup<T, Name, WhenNull>);

/**
 * An object that may be given as itself, by name, by its config or by its class: `objectField(initializers, "glorot_uniform")`.
 * May be null when that is the fallback.
 */
export function objectField<T, Name extends string, WhenNull extends T | null>(
  lookup: LookupSource<T, Name, WhenNull>,
): Field<Identifier<T, Name>, T, true>;
export function objectField<T, Name extends string, WhenNull extends T | null, const Fallback extends T | Name | null>(
  lookup: LookupSource<T, Name, WhenNull>,
  fallback: Fallback,
  options?: FieldOptions,
): Field<Identifier<T, Name> | Nullable<Fallback, WhenNull>, T | Nothing<Fallback, WhenNull>, false>;
/* @__NO_SIDE_EFFECTS__ */
export function objectField<T, Name extends string, WhenNull extends T | null>(
  lookup: LookupSource<T, Name, WhenNull>,
  fallback?: T | Name | null,
  options: FieldOptions = {},
): Field<never, never, never> {
  const source = () => (typeof lookup === "function" ? lookup() : lookup);
  const read = (value: Identifier<T, Name> | null, name: string): T | null => {
    const { kind, whenNull, get } = source();
    if (value === undefined || (value === null && fallback !== null && whenNull === null)) {
      throw wrongValue(name, `${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}, its name or its config`, value);
    }
    return get(value, name);
  };
  return makeField<Identifier<T, Name> | null, T | null>(fallback, options, read, (value) =>
    source().serialize(value),
  ) as never;
}
