import type { PyFloat } from "../utils/py-float.js";

/** What a saved config is made of. `PyFloat` is a number that Python writes as `1.0`. */
export type Json =
  null | boolean | number | bigint | string | PyFloat | readonly Json[] | { readonly [key: string]: Json };

/** The arguments of an object under Python's names. Values of hand-written `getConfig`s may be objects that serialization turns into JSON. */
export type Config = Record<string, unknown>;

/** What every kind of field can be told. */
export interface FieldOptions {
  /** Python's name, where camelCase to snake_case does not give it: `beta_1`. */
  readonly savedAs?: string;
  /** `false`: never part of the config. "whenSet": only when not null. */
  readonly saved?: boolean | "whenSet";
  /** Whether the constructor takes the argument by position although it may be left out: `new Constant(3)`. */
  readonly positional?: boolean;
}

/**
 * One constructor argument, described once: how it is read, checked and saved.
 * `In` is what callers may pass, `Out` is what the instance holds.
 */
export interface Field<In, Out, Required extends boolean = boolean> extends FieldOptions {
  /** The value of an argument left out; undefined exactly when the argument is required. */
  readonly fallback: Required extends true ? undefined : In;
  /** Set by `accessor`: the class itself defines the property. */
  readonly accessor?: true;
  /** Checks and converts an argument or a saved value; `name` ("Dense.units") is what errors call it. */
  read(value: In, name: string, className: string): Out;
  /** The JSON Python Keras would write. */
  write(value: Out): Json;
}

/** A table of fields: the arguments of a class by their names. */
export type Fields = { readonly [name: string]: Field<unknown, unknown> };

/** What callers may pass for a field. */
export type FieldInput<F extends Field<unknown, unknown>> = Parameters<F["read"]>[0];
/** What the instance holds for a field. */
export type FieldOutput<F extends Field<unknown, unknown>> = ReturnType<F["read"]>;

type RequiredKeys<F extends Fields> = {
  [K in keyof F]: [F[K]["fallback"]] extends [undefined] ? K : never;
}[keyof F];

/** The properties a table gives to instances. */
export type Values<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { readonly accessor: true } ? never : K]: FieldOutput<F[K]>;
};

/** The trailing options object of the constructor: every field with a fallback. */
export type Options<F extends Fields> = {
  [K in Exclude<keyof F, RequiredKeys<F>>]?: FieldInput<F[K]> | undefined;
};

/** All arguments by name. */
export type Arguments<F extends Fields> = Options<F> & { [K in RequiredKeys<F>]: FieldInput<F[K]> };

/** The table of a class that extends another: its own fields replace inherited ones of the same name. */
export type MergeFields<Inherited, Own> = Omit<Inherited, keyof Own> & Own;
