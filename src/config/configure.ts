import { noteConfigured } from "./class-names.js";
import type { Configurable } from "./configurable.js";
import type { Arguments, Fields, MergeFields, Values } from "./field.js";

/** A class that can be extended by `configure`. */
export type ConfigurableClass = (abstract new (args: never) => Configurable) & { readonly fields: object };

/** What `configure` returns: statics and instances of the base, with the fields added. */
export type Configured<B extends ConfigurableClass, F extends Fields> = Omit<B, "prototype" | "fields"> & {
  readonly fields: MergeFields<B["fields"], F>;
} & (abstract new (args: Arguments<FieldsOf<MergeFields<B["fields"], F>>>) => InstanceType<B> & Values<F>);

/** A table as `Arguments` takes it. */
type FieldsOf<T> = T extends Fields ? T : never;

/**
 * A base class with the given fields: typed, checked and saved without further code. Inherited fields come first; a field of the same
 * name replaces the inherited one in its place. For the classes of Keras itself; users take `configureCustom`.
 *
 * @example
 * const fields = { rate: float({ min: 0, max: 1 }), seed: optional(int()) };
 * export interface DropoutOptions extends LayerOptions, Options<typeof fields> {}
 * export class Dropout extends configure(Layer, "Dropout", fields) {
 *   constructor(rate: number, options: DropoutOptions = {}) {
 *     super({ rate, ...options });
 *   }
 * }
 */
/* @__NO_SIDE_EFFECTS__ */
export function configure<B extends ConfigurableClass, F extends Fields>(
  Parent: B,
  className: string,
  fields: F,
): Configured<B, F> {
  return extend(Parent, className, fields, true);
}

/**
 * `configure` for classes of users: saved as custom objects, which have to be registered or passed as `customObjects` to be loaded.
 */
/* @__NO_SIDE_EFFECTS__ */
export function configureCustom<B extends ConfigurableClass, F extends Fields>(
  Parent: B,
  className: string,
  fields: F,
): Configured<B, F> {
  return extend(Parent, className, fields, false);
}

function extend<B extends ConfigurableClass, F extends Fields>(
  Parent: B,
  className: string,
  fields: F,
  builtin: boolean,
) {
  abstract class Base extends (Parent as unknown as typeof Configurable) {}
  let merged: object | undefined;
  // Merged with the first use: most classes are never used, and importing Keras defines them all.
  Object.defineProperty(Base, "fields", {
    get: () => (merged ??= { ...Parent.fields, ...fields }),
    configurable: true,
  });
  noteConfigured(Base, { className, builtin });
  return Base as unknown as Configured<B, F>;
}
