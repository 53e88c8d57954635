const longest = 80;

/** A value as error messages show it: strings quoted, objects by their class, long ones cut off. */
export function showValue(value: unknown): string {
  return cut(show(value, 2), longest);
}

function show(value: unknown, depth: number): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return showFunction(value);
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  if (Array.isArray(value)) return depth === 0 ? "[...]" : `[${value.map((item) => show(item, depth - 1)).join(", ")}]`;
  const name = nameOfClass(value);
  if (name !== null) return `an instance of ${name}`;
  if (depth === 0) return "{...}";
  const entries = Object.entries(value).map(([key, item]) => `${key}: ${show(item, depth - 1)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** Callable objects are functions whose prototype is not `Function.prototype`. */
function showFunction(value: object): string {
  if (!(value instanceof Function)) return `an instance of ${nameOfClass(value) ?? "an unknown class"}`;
  const kind = /^class\b/.test(Function.prototype.toString.call(value)) ? "class" : "function";
  return value.name ? `${kind} ${value.name}` : `an unnamed ${kind}`;
}

function nameOfClass(value: object): string | null {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return null;
  const { constructor } = value as { constructor?: { className?: unknown; name?: unknown } };
  return String(constructor?.className ?? constructor?.name ?? "an unknown class");
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}...`;
}
