import { snakeToCamel } from "../utils/naming.js";
import { withoutPyFloats } from "../utils/py-float.js";
import { showValue } from "../utils/show-value.js";
import { argumentsFromConfig, savedName } from "./arguments.js";
import { makeCallable } from "./callable.js";
import { classNameOf } from "./class-names.js";
import type { Config, Fields } from "./field.js";

/** Values of fields whose property the class defines itself. */
const hidden = new WeakMap<object, Record<string, unknown>>();

/**
 * Base of everything that is built from arguments and saved as a config.
 *
 * Reads the arguments through the fields of the class; throws a TypeError on wrong values and on unknown names. Instances of classes
 * with an `invoke` method are callable.
 */
export abstract class Configurable {
  /** Python's module in saved files. */
  static readonly module: string = "keras";
  /** The table of arguments. */
  static readonly fields: Record<never, never> = {};
  /** The class name in saved files. */
  static get className(): string {
    return classNameOf(this);
  }

  /** Runs when the object is called, in classes whose instances can be. */
  protected invoke?(...args: never[]): unknown;

  constructor(args: object = {}) {
    const { prototype, fields } = new.target as unknown as { prototype: Configurable; fields: Fields };
    const className = classNameOf(new.target);
    const self = typeof prototype.invoke === "function" ? (makeCallable(prototype) as this) : this;
    checkNames(className, args, fields);
    const given = args as Record<string, unknown>;
    const kept: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(fields)) {
      const argument = Object.hasOwn(given, key) ? given[key] : undefined;
      const value = field.read(argument === undefined ? field.fallback : argument, `${className}.${key}`, className);
      if (field.accessor) kept[key] = value;
      else Object.defineProperty(self, key, { value, enumerable: true, configurable: true, writable: true });
    }
    hidden.set(self, kept);
    return self;
  }

  /** The arguments of this object under Python's names, as Python Keras saves them. */
  getConfig(): Config {
    const { fields } = this.constructor as unknown as { fields: Fields };
    const config: Config = {};
    for (const [key, field] of Object.entries(fields)) {
      const value = (this as Record<string, unknown>)[key];
      if (field.saved === false || (field.saved === "whenSet" && (value ?? null) === null)) continue;
      config[savedName(key, field)] = field.write(value);
    }
    return config;
  }

  /**
   * An object from its saved config: required arguments in their order, then the options. Keys that no field of the class knows are
   * an error; a hand-written subclass gets them as its own arguments, in the order of its config.
   */
  static fromConfig<T extends Configurable>(this: new (...args: never[]) => T, config: Config): T {
    const { fields } = this as unknown as { fields: Fields };
    return new this(...(argumentsFromConfig(this, fields, withoutPyFloats(config) as Config) as never[]));
  }

  /** How Node prints the object: class name and arguments. */
  [Symbol.for("nodejs.util.inspect.custom")](
    depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    const { className, fields } = this.constructor as unknown as { className: string; fields: Fields };
    if (depth < 0) return `[${className}]`;
    const self = this as Record<string, unknown>;
    const shown = Object.fromEntries(Object.keys(fields).map((key) => [key, self[key]]));
    return `${className} ${inspect(shown, { ...options, depth: depth - 1 })}`;
  }
}

/** The values read for fields marked with `accessor`, for the constructor of the class that defines them. */
export function initialValues<F extends Fields>(
  object: Configurable,
  _fields: F,
): { readonly [K in keyof F]: ReturnType<F[K]["read"]> } {
  return hidden.get(object) as { readonly [K in keyof F]: ReturnType<F[K]["read"]> };
}

function checkNames(className: string, args: object, fields: Fields): void {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    throw new TypeError(`The options of \`${className}\` must be an object. Received: ${showValue(args)}.`);
  }
  for (const key of Object.keys(args)) {
    if (Object.hasOwn(fields, key)) continue;
    const camel = snakeToCamel(key);
    const hint = Object.hasOwn(fields, camel) ? `Did you mean \`${camel}\`? ` : "";
    const known = Object.keys(fields).join(", ") || "none";
    throw new TypeError(`\`${className}\` has no option \`${key}\`. ${hint}Known options: ${known}.`);
  }
}
