/**
 * A number that Python knows as a `float`.
 *
 * JavaScript cannot tell `1` from `1.0`, Python and the files it writes can. A config holds this marker where a whole number has to
 * be written as `1.0`; numbers with a fraction need none. It behaves as its number in arithmetic and in `JSON.stringify`.
 */
export class PyFloat {
  /** The number itself. */
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  valueOf(): number {
    return this.value;
  }

  toString(): string {
    return String(this.value);
  }

  toJSON(): number {
    return this.value;
  }
}

/** Marks `value` as a Python float where that is not already visible: whole numbers are wrapped, all others come back as they are. */
export function pyFloat(value: number): number | PyFloat {
  return Number.isInteger(value) ? new PyFloat(value) : value;
}

/** Replaces every `PyFloat` in nested arrays and plain objects by its number; the input is left alone. */
export function withoutPyFloats(value: unknown): unknown {
  if (value instanceof PyFloat) return value.value;
  if (Array.isArray(value)) return value.map(withoutPyFloats);
  if (typeof value !== "object" || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutPyFloats(item)]));
}
