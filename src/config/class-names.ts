/** What `configure` knows about the base class it made. */
interface Configured {
  readonly className: string;
  /** Whether the class that extends it belongs to Keras rather than to a user. */
  readonly builtin: boolean;
}
const configured = new WeakMap<object, Configured>();

/** Notes that `base` was made by `configure` for the class that extends it. */
export const noteConfigured = (base: object, facts: Configured): void => void configured.set(base, facts);

/** The facts of a class that directly extends a `configure(...)`, or of that base itself. */
function factsOf(cls: object): Configured | undefined {
  return configured.get(cls) ?? configured.get(Object.getPrototypeOf(cls) as object);
}

/** The class name in saved files: what `configure` or the class's own static `className` says, else the name of the JS class. */
export function classNameOf(cls: object): string {
  const own = Object.getOwnPropertyDescriptor(cls, "className");
  if (own && typeof own.value === "string") return own.value;
  return factsOf(cls)?.className ?? (cls as { name: string }).name;
}

/** Whether the class's own fields are all it takes: hand-written subclasses may have arguments no table knows. */
export const hasFieldsOnly = (cls: object): boolean => factsOf(cls) !== undefined;

/** Whether Keras itself defines the class with `configure`. */
export const isBuiltinClass = (cls: object): boolean => factsOf(cls)?.builtin === true;
