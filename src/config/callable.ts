/** The method that runs when a callable object is called. */
export interface Invocable {
  invoke(...args: never[]): unknown;
}

/** An instance for `prototype` that can be called: `object(x)` runs `object.invoke(x)`. It is no `Function` but what its class says. */
export function makeCallable(prototype: object): object {
  const self: object = (...args: never[]) => (self as Invocable).invoke(...args);
  // Every function has these two as its own; here they would hide properties of the class.
  Reflect.deleteProperty(self, "name");
  Reflect.deleteProperty(self, "length");
  return Object.setPrototypeOf(self, prototype) as object;
}

/** Base of classes with callable instances. Subclasses implement `invoke` and declare the call signature on an interface of their name. */
export abstract class Callable {
  constructor() {
    return makeCallable(new.target.prototype) as this;
  }

  protected abstract invoke(...args: never[]): unknown;
}

/** Whether `value` is a function in the usual sense: no class, and no callable object. */
export function isPlainFunction(value: unknown): value is (...args: never[]) => unknown {
  return typeof value === "function" && value instanceof Function && !isClass(value);
}

/** Whether `value` is a class: the only functions whose `prototype` cannot be replaced. */
export function isClass(value: unknown): value is new (...args: never[]) => object {
  return (
    typeof value === "function" &&
    value instanceof Function &&
    Object.getOwnPropertyDescriptor(value, "prototype")?.writable === false
  );
}
