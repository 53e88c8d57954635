type Values = Record<string, unknown>;

/** Methods of `Config`, whose names cannot be settings. */
class Settings {
  #values: Values;
  #frozen = false;

  constructor(values: Values = {}) {
    this.#values = { ...values };
  }
  /** Whether changes are refused. */
  get frozen(): boolean {
    return this.#frozen;
  }
  /** Refuses changes from now on. */
  freeze(): void {
    this.#frozen = true;
  }
  unfreeze(): void {
    this.#frozen = false;
  }
  /** A plain object with the settings. */
  asDict(): Values {
    return { ...this.#values };
  }
  toJson(): string {
    return JSON.stringify(this.#values);
  }
  keys(): string[] {
    return Object.keys(this.#values);
  }
  values(): unknown[] {
    return Object.values(this.#values);
  }
  items(): [string, unknown][] {
    return Object.entries(this.#values);
  }
  has(name: string): boolean {
    return Object.hasOwn(this.#values, name);
  }
  get(name: string, fallback: unknown = null): unknown {
    return this.has(name) ? this.#values[name] : fallback;
  }
  /** Removes a setting and returns it; throws when there is none and no fallback. */
  pop(name: string, ...fallback: [unknown?]): unknown {
    this.update({});
    if (!this.has(name)) {
      if (fallback.length > 0) return fallback[0];
      throw new RangeError(`Unknown setting: "${name}". Known: ${this.keys().join(", ")}.`);
    }
    const { [name]: value, ...rest } = this.#values;
    this.#values = rest;
    return value;
  }
  /** Sets several settings; throws when the config is frozen. */
  update(values: Values): void {
    if (this.#frozen) throw new TypeError("The config is frozen. Call `unfreeze()` before changing it.");
    Object.assign(this.#values, values);
  }
  *[Symbol.iterator](): Iterator<string> {
    yield* this.keys().sort();
  }
}

/** Settings that are read and written as properties of their own names, and can be frozen. */
export interface Config extends Settings {
  [name: string]: unknown;
}
/**
 * Settings as properties: `config.rate = 0.1`. Reading an unknown one throws; `freeze()` refuses further changes.
 *
 * @example
 * const config = new Config({ hiddenUnits: 64 });
 * config.dropout = 0.5;
 * config.freeze();
 */
export const Config = class {
  constructor(values: Values = {}) {
    return new Proxy(new Settings(values), handler);
  }
} as unknown as new (values?: Values) => Config;

const handler: ProxyHandler<Settings> = {
  get(settings, name) {
    if (typeof name === "symbol" || name in Settings.prototype || name === "then") {
      const value: unknown = Reflect.get(settings, name, settings);
      return typeof value === "function" ? (value as (...args: unknown[]) => unknown).bind(settings) : value;
    }
    if (settings.has(name)) return settings.get(name);
    throw new RangeError(`Unknown setting: "${name}". Known: ${settings.keys().join(", ") || "none"}.`);
  },
  set(settings, name, value) {
    if (typeof name === "symbol" || name in Settings.prototype)
      throw new TypeError(`"${String(name)}" is a method of Config and cannot be a setting.`);
    settings.update({ [name]: value });
    return true;
  },
  deleteProperty(settings, name) {
    settings.pop(String(name));
    return true;
  },
  has: (settings, name) => (typeof name === "string" ? settings.has(name) : name in settings),
  ownKeys: (settings) => settings.keys(),
  getOwnPropertyDescriptor: (settings, name) =>
    typeof name === "string" && settings.has(name)
      ? { value: settings.get(name), enumerable: true, configurable: true, writable: true }
      : undefined,
};
