import { PyFloat } from "../utils/py-float.js";
import { pythonRepr } from "./python-repr.js";
import { maxJsonDepth } from "./python-json-parse.js";

export interface WritePythonJsonOptions {
  /** Spaces per level; without it everything stands on one line. */
  readonly indent?: number;
}

/**
 * JSON text equal to what Python's `json.dumps` writes: ", " and ": " between items, ASCII only, floats as Python prints them, `NaN`
 * and `Infinity` for what JSON lacks. `PyFloat` is written as a float ("1.0"), other whole numbers and bigints as integers; a Map is
 * an object. Throws a TypeError naming the place of a value that JSON has no form for, or of nesting deeper than 1000.
 */
export function stringifyPythonJson(value: unknown, options: WritePythonJsonOptions = {}): string {
  const { indent } = options;
  const path: (string | number)[] = [];

  const write = (item: unknown): string => {
    if (item === null) return "null";
    if (item instanceof PyFloat) return pythonRepr(item.value);
    switch (typeof item) {
      case "string":
        return quote(item);
      case "boolean":
      case "bigint":
        return String(item);
      case "number":
        return Number.isInteger(item) && !Object.is(item, -0) ? BigInt(item).toString() : pythonRepr(item);
      case "object":
        return container(item);
      default:
        throw new TypeError(`JSON has no form for a ${typeof item} at ${place(path)}.`);
    }
  };

  const container = (item: object): string => {
    if (path.length >= maxJsonDepth)
      throw new TypeError(`Values at ${place(path.slice(0, 4))} are nested too deep for JSON.`);
    if (Array.isArray(item))
      return enclose(
        "[",
        Array.from(item, (element, i) => inside(i, element)),
        "]",
      );
    const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(item) as object | null);
    if (!isPlain && !(item instanceof Map)) {
      throw new TypeError(`JSON has no form for a ${item.constructor.name} at ${place(path)}.`);
    }
    const entries: (readonly [unknown, unknown])[] = item instanceof Map ? [...item] : Object.entries(item);
    return enclose(
      "{",
      entries.map(([key, element]) => `${quote(String(key))}: ${inside(String(key), element)}`),
      "}",
    );
  };

  const inside = (key: string | number, item: unknown): string => {
    path.push(key);
    const text = write(item);
    path.pop();
    return text;
  };

  const enclose = (open: string, items: readonly string[], close: string): string => {
    if (items.length === 0) return open + close;
    if (indent === undefined) return open + items.join(", ") + close;
    const outer = `\n${" ".repeat(indent * path.length)}`;
    const inner = outer + " ".repeat(indent);
    return open + inner + items.join(`,${inner}`) + outer + close;
  };

  return write(value);
}

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

const quote = (text: string): string =>
  `"${text.replace(/["\\]|[^ -~]/g, (char) => short[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;

const place = (path: readonly (string | number)[]): string =>
  path.length === 0 ? "the top" : path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("");
