import { Dynamic } from "../core/dynamic.js";
import { onClearSession } from "../core/settings.js";
import { resetUids } from "../utils/naming.js";
import { showValue } from "../utils/show-value.js";
import { isClass } from "./callable.js";

/** A class or a function that a saved config can name. */
export type Registrable = (abstract new (...args: never[]) => object) | ((...args: never[]) => unknown);
/** Classes and functions by the names saved configs use for them. */
export type CustomObjects = Readonly<Record<string, Registrable>>;

const builtins = new Map<string, Registrable>();
const canonicalNames = new Map<Registrable, string>();

/** Makes classes or functions of Keras known to loading as `module.name`. The first name of an object is the one it is saved under. */
export function registerBuiltins(module: string, objects: CustomObjects): void {
  for (const [name, object] of Object.entries(objects)) {
    const path = `${module}.${name}`;
    builtins.set(path, object);
    if (!canonicalNames.has(object)) canonicalNames.set(object, path);
  }
}
/** The class or function of Keras that is saved as `path`, for example "keras.layers.Dense". */
export const builtinByPath = (path: string): Registrable | undefined => builtins.get(path);
/** The path a class or function of Keras is saved under, if it has been registered. */
export const pathOfBuiltin = (object: Registrable): string | undefined => canonicalNames.get(object);

const customObjects = new Map<string, Registrable>();
const customNames = new Map<Registrable, string>();
const scoped = new Dynamic<ReadonlyMap<string, Registrable>>(new Map());

/** The table of registered custom objects itself: `getCustomObjects().set("MyLayer", MyLayer)`. */
export const getCustomObjects = (): Map<string, Registrable> => customObjects;

/** How a custom object is called in saved files. */
export interface RegistrationOptions {
  /** The first half of the registered name. */
  readonly package?: string;
  /** The second half; by default the name of the class or function. */
  readonly name?: string | null;
}

/**
 * Registers a class or function for saving and loading, under "package>name". Throws a TypeError for a class without `getConfig`.
 *
 * @example
 * class Antirectifier extends keras.layers.Layer {}
 * keras.saving.registerKerasSerializable({ package: "my-package" })(Antirectifier);
 */
export function registerKerasSerializable({ package: pack = "Custom", name = null }: RegistrationOptions = {}) {
  return <T extends Registrable>(target: T, _context?: unknown): T => {
    if (isClass(target) && !("getConfig" in target.prototype)) {
      throw new TypeError(`Cannot register ${showValue(target)}: it needs a \`getConfig\` method.`);
    }
    const registered = `${pack}>${name ?? ownName(target)}`;
    customObjects.set(registered, target);
    customNames.set(target, registered);
    return target;
  };
}

/** The registered name ("package>name") of a class or function; its own name when it is not registered. */
export const getRegisteredName = (object: Registrable): string => customNames.get(object) ?? ownName(object);

/** What is registered under `name`: in the open scope, globally, in `customObjects`, then in `moduleObjects`. Null when nothing is. */
export function getRegisteredObject(
  name: string,
  options: { readonly customObjects?: CustomObjects | null; readonly moduleObjects?: CustomObjects | null } = {},
): Registrable | null {
  return (
    scoped.get().get(name) ??
    customObjects.get(name) ??
    lookUp(options.customObjects, name) ??
    lookUp(options.moduleObjects, name) ??
    null
  );
}

/** The custom objects visible now: those given, those of the open scope and the registered ones, later ones winning. */
export function currentCustomObjects(given: CustomObjects | null = null): ReadonlyMap<string, Registrable> {
  return new Map([...Object.entries(given ?? {}), ...scoped.get(), ...customObjects]);
}

/** Runs `fn` while exactly `objects` are the custom objects of the open scope. */
export const withCustomObjects = <T>(objects: ReadonlyMap<string, Registrable>, fn: () => T): T =>
  scoped.run(objects, fn);

/** Custom classes and functions that are known while a function runs, and not after. */
export class CustomObjectScope {
  readonly #objects: ReadonlyMap<string, Registrable>;

  constructor(objects: CustomObjects | null) {
    this.#objects = new Map(Object.entries(objects ?? {}));
  }

  /** Runs `fn` with the objects of this scope known. `loadModel` called inside keeps them until it is done. */
  run<T>(fn: () => T): T {
    return withCustomObjects(this.#objects, fn);
  }
}
/** Runs `fn` while `objects` are known to loading. */
export const customObjectScope = <T>(objects: CustomObjects | null, fn: () => T): T =>
  new CustomObjectScope(objects).run(fn);

const lookUp = (objects: CustomObjects | null | undefined, name: string): Registrable | undefined =>
  objects && Object.hasOwn(objects, name) ? objects[name] : undefined;

const ownName = (object: Registrable): string => (object as { className?: string }).className ?? object.name;

onClearSession(resetUids);
