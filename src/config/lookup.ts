import { type SnakeCase, toSnakeCase } from "../utils/naming.js";
import { showValue } from "../utils/show-value.js";
import { isClass, isPlainFunction } from "./callable.js";
import { deserializeKerasObject, restoreObject } from "./deserialize.js";
import { type PartialEnvelope, isEnvelope } from "./envelope.js";
import type { Json } from "./field.js";
import {
  type CustomObjects,
  type Registrable,
  currentCustomObjects,
  getRegisteredObject,
  registerBuiltins,
  withCustomObjects,
} from "./registry.js";
import { serializeValue } from "./serialize.js";

/** What names an object: itself, its string name, its saved config, or its class. */
export type Identifier<T, Name extends string> = T | Name | PartialEnvelope | (new () => T);

export interface ReadOptions {
  readonly customObjects?: CustomObjects | null;
}

/** Resolves identifiers of one kind of object, as `keras.initializers.get` does. */
export interface Lookup<T, Name extends string = string, WhenNull extends T | null = T | null> {
  /** What it looks for, for messages: "initializer". */
  readonly kind: string;
  /** All names it knows. */
  readonly names: readonly Name[];
  /** What `null` stands for. */
  readonly whenNull: WhenNull;
  /** The object an identifier stands for; throws a TypeError that calls the identifier `name` when there is none. */
  get(identifier: Identifier<T, Name>, name?: string): T;
  get(identifier: Identifier<T, Name> | null, name?: string): T | WhenNull;
  /** The JSON Python Keras saves for an object of this kind. */
  serialize(object: T | null): Json;
  /** The object a saved config or name stands for. */
  deserialize(config: PartialEnvelope | string, options?: ReadOptions): T;
}

/** What `makeLookup` needs to know. */
export interface LookupSpec<
  T,
  Objects extends CustomObjects,
  Aliases extends CustomObjects,
  WhenNull extends T | null,
> {
  /** What the objects are, in the singular: "initializer". */
  readonly kind: string;
  /** Where saved files find them: "keras.initializers". */
  readonly module: string;
  /** Classes and functions under the names they are saved with. */
  readonly objects: Objects;
  /** Further names. */
  readonly aliases?: Aliases;
  /** Further classes and functions that saved files may name; they have no names here. */
  readonly onlySaved?: CustomObjects;
  /** Whether classes also go by their snake-case names, as "glorot_uniform" does. By default true. */
  readonly snakeNames?: boolean;
  /** Whether capitals matter. By default they do. */
  readonly ignoreCase?: boolean;
  /** Whether functions of Keras are saved as their bare names rather than in an envelope. */
  readonly bareNames?: boolean;
  /** What `null` stands for; by default null. */
  readonly whenNull?: WhenNull;
  /** Whether a value can be used as it is. */
  accepts(value: unknown): value is T;
  /** Makes an object of other things that may stand for one, such as a tensor of initial values; undefined when it cannot. */
  convert?(value: unknown): T | undefined;
}

type ClassKeys<Objects> = {
  [K in keyof Objects]: Objects[K] extends abstract new (...args: never[]) => unknown ? K : never;
}[keyof Objects] &
  string;

/** A lookup for the given classes and functions, which become known to loading as well. */
/* @__NO_SIDE_EFFECTS__ */
export function makeLookup<
  T,
  const Objects extends CustomObjects,
  const Aliases extends CustomObjects = Record<never, never>,
  WhenNull extends T | null = null,
>(
  spec: LookupSpec<T, Objects, Aliases, WhenNull>,
): Lookup<T, (keyof Objects & string) | SnakeCase<ClassKeys<Objects>> | (keyof Aliases & string), WhenNull> {
  type Name = (keyof Objects & string) | SnakeCase<ClassKeys<Objects>> | (keyof Aliases & string);
  const { kind, module, objects, whenNull = null as WhenNull } = spec;
  registerBuiltins(module, { ...objects, ...spec.onlySaved });
  const spelled = (name: string) => (spec.ignoreCase ? name.toLowerCase() : name);
  let made: Map<string, Registrable> | null = null;
  /** By all names, in the spelling looked up; made at the first look, to keep importing quick. */
  function table(): Map<string, Registrable> {
    if (made) return made;
    const classes = spec.snakeNames === false ? [] : Object.entries(objects).filter(([, object]) => isClass(object));
    return (made = new Map<string, Registrable>([
      ...classes.map(([name, object]): [string, Registrable] => [spelled(toSnakeCase(name)), object]),
      ...Object.entries({ ...spec.aliases, ...objects }).map(([name, object]): [string, Registrable] => [
        spelled(name),
        object,
      ]),
    ]));
  }

  function checked(value: unknown, argument: string | undefined, identifier: unknown): T {
    if (spec.accepts(value)) return value;
    throw new TypeError(`${where(argument)}cannot make ${article(kind)} ${kind} of ${showValue(identifier)}.`);
  }

  function byName(name: string, argument?: string, customObjects: CustomObjects | null = null): T {
    const object = getRegisteredObject(name, { customObjects }) ?? table().get(spelled(name));
    if (object) return checked(restore(object, { class_name: name }, customObjects), argument, name);
    const known = [...table().keys()].join(", ");
    throw new TypeError(`${where(argument)}there is no ${kind} ${showValue(name)}. Known: ${known}.`);
  }

  function deserialize(
    config: PartialEnvelope | string,
    { customObjects = null }: ReadOptions = {},
    argument?: string,
  ): T {
    if (typeof config === "string") return byName(config, argument, customObjects);
    const { class_name: className, config: inner = null, module, registered_name: registered } = config;
    const isCustom = [className, registered, inner].some(
      (name) => typeof name === "string" && getRegisteredObject(name, { customObjects }) !== null,
    );
    const name = className === "function" ? inner : className;
    const known = !isCustom && module !== null && typeof name === "string" ? table().get(spelled(name)) : undefined;
    const object = known
      ? restore(known, config, customObjects)
      : deserializeKerasObject({ ...config, config: inner }, { customObjects });
    return checked(object, argument, config);
  }

  function get(identifier: Identifier<T, Name> | null, name?: string): T | WhenNull {
    if (identifier === null || identifier === undefined) return whenNull;
    if (typeof identifier === "string") return byName(identifier, name);
    if (isClass(identifier)) return checked(new (identifier as new () => T)(), name, identifier);
    if (isEnvelope(identifier)) return deserialize(identifier, {}, name);
    return checked(spec.convert?.(identifier) ?? identifier, name, identifier);
  }

  function serialize(object: T | null): Json {
    if (spec.bareNames && isPlainFunction(object)) {
      for (const [name, candidate] of Object.entries(objects)) if (candidate === object) return name;
    }
    return serializeValue(object);
  }

  return {
    kind,
    get names() {
      return [...table().keys()] as Name[];
    },
    whenNull,
    get,
    serialize,
    deserialize,
  } as Lookup<T, Name, WhenNull>;
}

/** Rebuilds an object of a class already known, under the given custom objects. */
function restore(cls: Registrable, envelope: PartialEnvelope, customObjects: CustomObjects | null): unknown {
  return withCustomObjects(currentCustomObjects(customObjects), () => restoreObject(cls, envelope));
}

/** The beginning of a message about an argument. */
const where = (argument: string | undefined): string => (argument === undefined ? "" : `\`${argument}\`: `);

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? "an" : "a");
