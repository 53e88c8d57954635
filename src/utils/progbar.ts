import { canOverprint, printMsg } from "./io-utils.js";
import { exponential, fixed } from "./python-format.js";

/** How a progress bar looks and counts. */
export interface ProgbarOptions {
  /** Width of the bar, in characters. */
  readonly width?: number;
  /** 0 prints nothing, 1 a bar, 2 one line at the end. */
  readonly verbose?: number;
  /** Seconds that pass at least between two updates. */
  readonly interval?: number;
  /** Names of values shown as they are; others are averaged over the steps. */
  readonly statefulMetrics?: Iterable<string> | null;
  /** Names of values averaged over the steps; others are shown as they are. */
  readonly statelessMetrics?: Iterable<string> | null;
  /** What one count is called: "step". */
  readonly unitName?: string;
  /** Whether updates replace each other on one line; by default where the standard output allows it. */
  readonly dynamic?: boolean;
  /** The time in seconds. */
  readonly clock?: () => number;
  /** Where the text goes; by default to the standard output. */
  readonly write?: (text: string) => void;
}
/** A value to show: a number, or several whose mean is shown. */
export type ProgbarValue = number | readonly number[];

/** A progress bar as Keras draws it: count, bar, time, and values, once in `interval` seconds. */
export class Progbar {
  /** Expected number of steps; null when it is not known. */
  target: number | null;
  readonly #options: Required<Omit<ProgbarOptions, "statefulMetrics" | "statelessMetrics">>;
  readonly #averages: (name: string) => boolean;
  readonly #values = new Map<string, { sum: number; count: number }>();
  readonly #start: number;
  #seen = 0;
  #lastUpdate = 0;
  #afterFirstStep: number | null = null;
  #previousWidth = 0;

  constructor(target: number | null, options: ProgbarOptions = {}) {
    const { statefulMetrics = null, statelessMetrics = null, ...rest } = options;
    if (statefulMetrics !== null && statelessMetrics !== null)
      throw new TypeError("Only one of `statefulMetrics` and `statelessMetrics` can be given.");
    this.target = target;
    this.#options = {
      width: 20,
      verbose: 1,
      interval: 0.05,
      unitName: "step",
      dynamic: canOverprint(),
      clock: () => (performance.timeOrigin + performance.now()) / 1000,
      write: (text) => printMsg(text, { lineBreak: false }),
      ...rest,
    };
    const stateful = new Set(statefulMetrics ?? []);
    const stateless = statelessMetrics === null ? null : new Set(statelessMetrics);
    this.#averages = (name) => (stateless ? stateless.has(name) : !stateful.has(name));
    this.#start = this.#options.clock();
  }

  /** Whether an update now would be drawn: `interval` seconds have passed since the last. */
  get isDue(): boolean {
    return this.#options.clock() - this.#lastUpdate >= this.#options.interval;
  }

  /**
   * Shows that `current` steps are done, with values by name.
   * @param finalize Whether this is the last update; by default when `current` reaches the target.
   */
  update(
    current: number,
    values: Iterable<readonly [string, ProgbarValue]> = [],
    { finalize = this.target !== null && current >= this.target }: { finalize?: boolean } = {},
  ): void {
    for (const [name, value] of values) this.#note(name, meanOf(value), current, finalize);
    this.#seen = current;
    const { clock, verbose, interval, write } = this.#options;
    const now = clock();
    const perUnit = this.#stepDuration(current, now);
    if (verbose === 1) {
      if (now - this.#lastUpdate < interval && !finalize) return;
      write(this.#draw(current, now, perUnit, finalize));
    } else if (verbose === 2 && finalize && this.target !== null && this.target > 0) {
      const time = `${fixed(now - this.#start, 0)}s -${this.#duration(perUnit)}`;
      write(`${this.#count(current)} - ${time}${this.#show((mean) => mean > 1e-3)}\n`);
    }
    this.#lastUpdate = now;
  }
  /** Shows that `n` more steps are done. */
  add(n: number, values: Iterable<readonly [string, ProgbarValue]> = []): void {
    this.update(this.#seen + n, values);
  }

  #note(name: string, value: number, current: number, finalize: boolean): void {
    const known = this.#values.get(name);
    if (finalize || !this.#averages(name)) this.#values.set(name, { sum: value, count: 1 });
    else {
      const steps = Math.max(current - this.#seen, 1);
      this.#values.set(
        name,
        known ? { sum: known.sum + value * steps, count: known.count + steps } : { sum: value * steps, count: steps },
      );
    }
  }
  #draw(current: number, now: number, perUnit: number, finalize: boolean): string {
    const { width, dynamic } = this.#options;
    const known = this.target !== null && this.target > 0;
    let bar = `${String(current).padStart(7)}/Unknown`;
    let barWidth = bar.length;
    if (known) {
      const done = Math.trunc((width * current) / this.target!);
      const count = this.#count(current);
      bar =
        `\x1b[1m${count}\x1b[0m ` +
        (done > 0 ? `\x1b[32m${"━".repeat(done)}\x1b[0m` : "") +
        `\x1b[37m${"━".repeat(Math.max(0, width - done))}\x1b[0m`;
      barWidth = count.length + 1 + done + Math.max(0, width - done);
    }
    const time = known && !finalize ? eta(perUnit * (this.target! - current)) : `${fixed(now - this.#start, 0)}s`;
    const tail = this.#duration(perUnit) + this.#show((mean) => Math.abs(mean) > 1e-3);
    const total = barWidth + 1 + time.length + tail.length;
    const back = dynamic ? "\b".repeat(this.#previousWidth) + "\r" : "\n";
    const padding = " ".repeat(Math.max(0, this.#previousWidth - total));
    this.#previousWidth = total;
    return `${back}${bar} \x1b[1m${time}\x1b[0m${tail}${padding}${finalize ? "\n" : ""}`;
  }
  #count(current: number): string {
    const digits = Math.trunc(Math.log10(this.target!)) + 1;
    return `${String(current).padStart(digits)}/${this.target}`;
  }
  #show(plain: (mean: number) => boolean): string {
    let text = "";
    for (const [name, { sum, count }] of this.#values) {
      const mean = sum / Math.max(1, count);
      text += ` - ${name}: ${plain(mean) ? fixed(mean, 4) : exponential(mean, 4)}`;
    }
    return text;
  }
  #duration(perUnit: number): string {
    const { unitName } = this.#options;
    if (perUnit >= 1 || perUnit === 0) return ` ${fixed(perUnit, 0)}s/${unitName}`;
    return perUnit >= 1e-3 ? ` ${fixed(perUnit * 1e3, 0)}ms/${unitName}` : ` ${fixed(perUnit * 1e6, 0)}us/${unitName}`;
  }
  /** Seconds a step takes, without the first one, which compiles. */
  #stepDuration(current: number, now: number): number {
    if (current === 0) return 0;
    const later = this.#afterFirstStep !== null && current > 1;
    const duration = later ? (now - this.#afterFirstStep!) / (current - 1) : (now - this.#start) / current;
    if (current === 1) this.#afterFirstStep = now;
    return duration;
  }
}

const meanOf = (value: ProgbarValue): number =>
  typeof value === "number" ? value : value.reduce((sum, v) => sum + v, 0) / value.length;

function eta(seconds: number): string {
  const two = (n: number): string => String(Math.trunc(n)).padStart(2, "0");
  if (seconds > 3600) return `${Math.trunc(seconds / 3600)}:${two((seconds % 3600) / 60)}:${two(seconds % 60)}`;
  return seconds > 60 ? `${Math.trunc(seconds / 60)}:${two(seconds % 60)}` : `${Math.trunc(seconds)}s`;
}
