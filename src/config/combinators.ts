import type { Field, FieldOptions, Json } from "./field.js";
import { type KindArguments, makeField, splitKindArguments, wrongValue } from "./make-field.js";
import { serializeValue } from "./serialize.js";

/** A field that may also be null, which it is when left out, unless another fallback is given: `optional(float())`. */
/* @__NO_SIDE_EFFECTS__ */
export function optional<In, Out>(
  inner: Field<In, Out>,
  fallback: In | null = null,
  options: FieldOptions = inner,
): Field<In | null, Out | null, false> {
  return makeField<In | null, Out | null>(
    fallback,
    options,
    (value, name, className) => (value === null ? null : inner.read(value, name, className)),
    (value) => (value === null ? null : inner.write(value)),
  );
}

/** An array whose items are all of one kind: `list(float())`. */
export function list<In, Out>(
  inner: Field<In, Out>,
  options?: FieldOptions,
): Field<readonly In[], readonly Out[], true>;
export function list<In, Out>(
  inner: Field<In, Out>,
  fallback: readonly In[],
  options?: FieldOptions,
): Field<readonly In[], readonly Out[], false>;
/* @__NO_SIDE_EFFECTS__ */
export function list<In, Out>(
  inner: Field<In, Out>,
  ...args: KindArguments<readonly In[]>
): Field<readonly In[], readonly Out[], never> {
  const { fallback, options } = splitKindArguments(args);
  const read = (value: readonly In[], name: string, className: string): readonly Out[] => {
    if (!Array.isArray(value)) throw wrongValue(name, "an array", value);
    return value.map((item, i) => inner.read(item, `${name}[${i}]`, className));
  };
  return makeField(fallback, options, read, (value) => value.map((item) => inner.write(item)));
}

/** A plain object whose values are all of one kind; its keys are the user's and are never respelled. */
export function dict<In, Out>(
  inner: Field<In, Out>,
  fallback?: undefined,
  options?: FieldOptions,
): Field<Readonly<Record<string, In>>, Readonly<Record<string, Out>>, true>;
export function dict<In, Out>(
  inner: Field<In, Out>,
  fallback: Readonly<Record<string, In>>,
  options?: FieldOptions,
): Field<Readonly<Record<string, In>>, Readonly<Record<string, Out>>, false>;
/* @__NO_SIDE_EFFECTS__ */
export function dict<In, Out>(
  inner: Field<In, Out>,
  fallback?: Readonly<Record<string, In>>,
  options: FieldOptions = {},
) {
  const read = (
    value: Readonly<Record<string, In>>,
    name: string,
    className: string,
  ): Readonly<Record<string, Out>> => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw wrongValue(name, "a plain object", value);
    return mapValues(value, (item, key) => inner.read(item, `${name}.${key}`, className));
  };
  return makeField(fallback, options, read, (value) => mapValues(value, (item) => inner.write(item)));
}

/** Any value; objects that can be saved are saved as such. Typed by its argument: `any<Pattern | null>(null)`. */
export function any<T = unknown>(fallback?: undefined, options?: FieldOptions): Field<T, T, true>;
export function any<T = unknown>(fallback: T, options?: FieldOptions): Field<T, T, false>;
/* @__NO_SIDE_EFFECTS__ */
export function any<T = unknown>(fallback?: T, options: FieldOptions = {}): Field<T, T, never> {
  const read = (value: T, name: string): T => {
    if (value === undefined) throw wrongValue(name, "any value", value);
    return value;
  };
  return makeField(fallback, options, read, serializeValue);
}

/**
 * A field whose value is worked out from that of another: `derived(optional(string()), (format) => format ?? imageDataFormat())`.
 * Saved as `write` says, by default as it is.
 */
/* @__NO_SIDE_EFFECTS__ */
export function derived<In, Middle, Out, Required extends boolean>(
  inner: Field<In, Middle, Required>,
  read: (value: Middle, name: string, className: string) => Out,
  write: (value: Out) => Json = serializeValue,
): Field<In, Out, Required> {
  return {
    ...inner,
    read: (value, name, className) => read(inner.read(value, name, className), name, className),
    write,
  };
}

/** A field for whose property the class has its own getter; `initialValues` gives the value to its constructor. */
/* @__NO_SIDE_EFFECTS__ */
export function accessor<In, Out, Required extends boolean>(
  inner: Field<In, Out, Required>,
): Field<In, Out, Required> & { readonly accessor: true } {
  return { ...inner, accessor: true };
}

const mapValues = <T, R>(object: Readonly<Record<string, T>>, map: (value: T, key: string) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
