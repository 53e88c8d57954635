import { PyFloat } from "../utils/py-float.js";
import { FormatError } from "./format-error.js";

export interface ParsePythonJsonOptions {
  /** Name of the text, for errors. */
  readonly source?: string;
  /**
   * "number" gives `1.0` and `1` as the same number; "wrap" gives floats without a fraction as `PyFloat`, so that writing the value
   * again writes `1.0`.
   */
  readonly floats?: "number" | "wrap";
  /** "map" gives objects as a Map, which keeps the order of keys like "1" too. */
  readonly objects?: "plain" | "map";
}

/** Nesting that any reader of the value can still walk through recursively. */
export const maxJsonDepth = 1000;
/** Python's own limit: reading an integer takes time that grows with the square of its length. */
const maxDigits = 4300;

/**
 * Value of JSON as Python's `json` writes it: besides standard JSON the numbers `NaN`, `Infinity` and `-Infinity`.
 * Integers past 2^53 come back as bigint. A key "__proto__" becomes an ordinary property.
 * Throws a FormatError with line and column for anything else, and for text nested deeper than 1000.
 */
export function parsePythonJson(text: string, options: ParsePythonJsonOptions = {}): unknown {
  return new Parser(text, options).document();
}

const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const plainText = /[^"\\\u0000-\u001f]*/y;
const constants: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
];
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class Parser {
  private at = 0;
  private readonly wrap: boolean;
  private readonly map: boolean;

  constructor(
    private readonly text: string,
    private readonly options: ParsePythonJsonOptions,
  ) {
    this.wrap = options.floats === "wrap";
    this.map = options.objects === "map";
  }

  document(): unknown {
    this.skipSpace();
    const value = this.value(0);
    this.skipSpace();
    if (this.at < this.text.length) throw this.error("nothing may follow the value");
    return value;
  }

  private value(depth: number): unknown {
    if (depth > maxJsonDepth) throw this.error(`values may be nested at most ${maxJsonDepth} deep`);
    switch (this.text[this.at]) {
      case "{":
        return this.object(depth);
      case "[":
        return this.array(depth);
      case '"':
        return this.string();
    }
    const number = this.number();
    if (number !== undefined) return number;
    for (const [word, value] of constants) if (this.accept(word)) return value;
    throw this.error(this.at < this.text.length ? "expected a value" : "the text ends too early");
  }

  private object(depth: number): unknown {
    const entries = new Map<string, unknown>();
    this.at++;
    this.skipSpace();
    if (!this.accept("}")) {
      do {
        this.skipSpace();
        if (this.text[this.at] !== '"') throw this.error("expected a key in double quotes");
        const key = this.string();
        this.skipSpace();
        if (!this.accept(":")) throw this.error('expected ":"');
        this.skipSpace();
        entries.set(key, this.value(depth + 1));
        this.skipSpace();
      } while (this.accept(","));
      if (!this.accept("}")) throw this.error('expected "," or "}"');
    }
    // Object.fromEntries defines properties, so "__proto__" is a key like any other.
    return this.map ? entries : Object.fromEntries(entries);
  }

  private array(depth: number): unknown[] {
    const items: unknown[] = [];
    this.at++;
    this.skipSpace();
    if (this.accept("]")) return items;
    do {
      this.skipSpace();
      items.push(this.value(depth + 1));
      this.skipSpace();
    } while (this.accept(","));
    if (!this.accept("]")) throw this.error('expected "," or "]"');
    return items;
  }

  private string(): string {
    this.at++;
    let out = "";
    for (;;) {
      plainText.lastIndex = this.at;
      out += plainText.exec(this.text)![0];
      this.at = plainText.lastIndex;
      const next = this.text[this.at];
      if (next === '"') {
        this.at++;
        return out;
      }
      if (next !== "\\")
        throw this.error(next === undefined ? "a string has no end" : "a control character stands in a string");
      out += this.escape();
    }
  }

  private escape(): string {
    const letter = this.text[this.at + 1] ?? "";
    if (letter === "u") {
      const digits = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.error("expected four hexadecimal digits after \\u");
      this.at += 6;
      return String.fromCharCode(parseInt(digits, 16));
    }
    const char = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
    if (char === undefined) throw this.error("unknown escape in a string");
    this.at += 2;
    return char;
  }

  private number(): number | bigint | PyFloat | undefined {
    number.lastIndex = this.at;
    const [token, fraction, exponent] = number.exec(this.text) ?? [];
    if (token === undefined) return undefined;
    if (token.length > maxDigits) throw this.error(`numbers may have at most ${maxDigits} digits`);
    this.at = number.lastIndex;
    const value = Number(token);
    if (fraction === undefined && exponent === undefined) {
      // Python has no negative zero among its integers.
      return Number.isSafeInteger(value) ? value + 0 : BigInt(token);
    }
    return this.wrap && Number.isInteger(value) ? new PyFloat(value) : value;
  }

  private accept(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  private error(message: string): FormatError {
    const before = this.text.slice(0, this.at).split("\n");
    const where = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
    return new FormatError(this.options.source ?? "JSON", `${message} (${where})`);
  }
}
