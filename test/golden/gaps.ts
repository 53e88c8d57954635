import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { KindSummary, TargetSummary } from "./run-kind.js";

/** Cases that are known to fail, and why. */
export interface Gap {
  readonly reason: string;
  readonly cases: readonly string[] | "all";
}
/** By "<kind>:<target>"; several where a target fails for several reasons. */
export type Gaps = Readonly<Record<string, Gap | readonly Gap[]>>;

/** The gap list of an engine. */
export const gapsPath = (engine: string): string => new URL(`../gaps/${engine}.json`, import.meta.url).pathname;
export const readGaps = (path: string): Gaps =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Gaps) : {};

const gapsOf = (gaps: Gaps, key: string): readonly Gap[] => {
  const found = gaps[key];
  return found === undefined ? [] : Array.isArray(found) ? (found as readonly Gap[]) : [found as Gap];
};
/** The gaps of several lists: what the library has no code for yet is missing on every engine. */
export function mergeGaps(...lists: readonly Gaps[]): Gaps {
  const keys = new Set(lists.flatMap((gaps) => Object.keys(gaps)));
  return Object.fromEntries([...keys].map((key) => [key, lists.flatMap((gaps) => gapsOf(gaps, key))]));
}
/** All gaps that an engine may show: those of the library, which the built-in engine's list names, and its own. */
export const gapsFor = (engine: string): Gaps =>
  engine === "numpy" ? readGaps(gapsPath("numpy")) : mergeGaps(readGaps(gapsPath("numpy")), readGaps(gapsPath(engine)));
/** Why a case may fail; null when it may not. */
export const reasonFor = (gaps: Gaps, key: string, id: string): string | null =>
  gapsOf(gaps, key).find(({ cases }) => cases === "all" || cases.includes(id))?.reason ?? null;

/** What a run has to answer for: failures no gap names, gaps that are none any more, and gaps of what was not run. */
export function judge(
  kind: string,
  summary: KindSummary,
  gaps: Gaps,
): { failures: string[]; closed: string[]; unknown: string[] } {
  const failures: string[] = [];
  const closed: string[] = [];
  for (const [target, { passed, failures: failed }] of summary.targets) {
    const key = `${kind}:${target}`;
    for (const { id, message } of failed)
      if (reasonFor(gaps, key, id) === null) failures.push(`${key} ${id}: ${message.slice(0, 300)}`);
    for (const id of passed) if (reasonFor(gaps, key, id) !== null) closed.push(`${key} ${id}`);
  }
  const unknown = Object.keys(gaps).filter((key) => {
    if (!key.startsWith(`${kind}:`)) return false;
    const target = summary.targets.get(key.slice(kind.length + 1));
    return (
      !target ||
      gapsOf(gaps, key).some(({ cases }) => cases !== "all" && cases.some((id) => !idsOf(target).includes(id)))
    );
  });
  return { failures, closed, unknown };
}
const idsOf = ({ passed, failures }: TargetSummary): string[] => [...passed, ...failures.map(({ id }) => id)];

/**
 * Writes an engine's list anew from a run: closed gaps go, reasons of others stay, new failures come with their message for a reason.
 * Gaps of the library stand in the built-in engine's list alone.
 */
export function updateGaps(engine: string, runs: ReadonlyMap<string, KindSummary>): void {
  const path = gapsPath(engine);
  const old = readGaps(path);
  const shared = engine === "numpy" ? {} : readGaps(gapsPath("numpy"));
  const gaps: Record<string, Gap | Gap[]> = Object.fromEntries(
    Object.entries(old).filter(([key]) => !runs.has(key.slice(0, key.indexOf(":")))),
  ) as Record<string, Gap | Gap[]>;
  for (const [kind, summary] of runs)
    for (const [target, { passed, failures }] of summary.targets) {
      const key = `${kind}:${target}`;
      const reasons = new Map<string, string[]>();
      for (const { id, message } of failures) {
        if (reasonFor(shared, key, id) !== null) continue;
        const reason = reasonFor(old, key, id) ?? reasonOf(message);
        reasons.set(reason, [...(reasons.get(reason) ?? []), id]);
      }
      const list = [...reasons].map(([reason, cases]) => ({
        reason,
        cases: passed.length === 0 && reasons.size === 1 ? ("all" as const) : cases.sort(),
      }));
      if (list.length > 0) gaps[key] = list.length === 1 ? list[0]! : list;
    }
  const sorted = Object.fromEntries(Object.entries(gaps).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(path, `${JSON.stringify(sorted, null, 1)}\n`);
}
function reasonOf(message: string): string {
  const missing =
    /There is no \w+ `([\w.]+)`/.exec(message) ??
    /^(keras[\w.]+) does not exist/.exec(message) ??
    /there is no op (\S+)/.exec(message);
  if (missing) return `${missing[1]} is not there yet.`;
  if (/lora_|_scale\b|kernel_zero|amax_history|gptq_/.test(message))
    return "LoRA and quantized layers are not there yet.";
  const lines = message.replace(/\S*\/(?=\w+\.\w)/g, "").split("\n");
  return lines.slice(0, 2).join(" ").slice(0, 200);
}
