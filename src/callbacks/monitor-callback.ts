import { CompileMetrics } from "../trainers/compile/compile-metrics.js";
import { showValue } from "../utils/show-value.js";
import { Callback, type Logs } from "./callback.js";

/** Whether smaller or larger values of a metric are better; "auto" asks the metric. */
export type MonitorMode = "auto" | "min" | "max";

/** What callbacks that watch one value of the logs have in common. */
export abstract class MonitorCallback extends Callback {
  readonly monitor: string;
  readonly mode: MonitorMode;
  readonly minDelta: number;
  /** The best value so far; null before there is one. */
  best: number | null;
  #better: ((value: number, reference: number) => boolean) | null = null;

  protected constructor({
    monitor = "val_loss",
    mode = "auto",
    minDelta = 0,
    best = null,
  }: {
    monitor?: string | undefined;
    mode?: MonitorMode | undefined;
    minDelta?: number | undefined;
    best?: number | null | undefined;
  }) {
    super();
    if (!["auto", "min", "max"].includes(mode))
      throw new TypeError(
        `\`${this.constructor.name}.mode\` must be "auto", "min" or "max". Received: ${showValue(mode)}.`,
      );
    this.monitor = monitor;
    this.mode = mode;
    this.minDelta = Math.abs(minDelta);
    this.best = best;
  }

  /** The monitored value, when the logs have it as a number. */
  protected monitored(logs: Logs): number | null {
    const value = logs[this.monitor];
    return typeof value === "number" ? value : null;
  }
  /** Whether `value` is better than `reference` by more than `minDelta`; always, when there is no reference. */
  protected isImprovement(value: number, reference: number | null): boolean {
    if (reference === null) return true;
    this.#better ??= this.#comparison();
    return this.#better(value, reference);
  }
  /** Finds out early whether the mode can be told. */
  protected resolveMode(): void {
    this.#better ??= this.#comparison();
  }
  #comparison(): (value: number, reference: number) => boolean {
    const up = this.mode === "auto" ? this.#direction() === "up" : this.mode === "max";
    return up
      ? (value, reference) => value - this.minDelta > reference
      : (value, reference) => value + this.minDelta < reference;
  }
  #direction(): "up" | "down" {
    const name = this.monitor.replace(/^val_/, "");
    const metrics = this.model.metrics.flatMap((metric) => (metric instanceof CompileMetrics ? metric.metrics : []));
    const direction = metrics.find((metric) => metric.name === name)?.direction ?? null;
    if (direction !== null) return direction;
    if (name === "loss") return "down";
    throw new TypeError(
      `${this.constructor.name} cannot tell whether "${this.monitor}" is better when larger or when smaller. ` +
        'Pass mode: "max" or mode: "min".',
    );
  }
}

/** The names in logs, for messages. */
export const namesOf = (logs: Logs): string => Object.keys(logs).join(", ") || "none";
