/**
 * Replays recorded calls of Python Keras on the engine that KERAS_BACKEND names.
 *
 *     npm run goldens -- [--update-gaps] [kind...]
 *
 * KERAS_GOLDENS_DIR=<folder> names other cases than the project's own: then every failure counts, known gap or not.
 * GOLDENS_FAILURES=<n> shows the first n failures of each target. --update-gaps writes the engine's list of known gaps anew.
 */
import { parseArgs } from "node:util";
import { backend } from "../../src/backend/index.js";
import { kindsIn } from "./cases.js";
import { gapsFor, gapsPath, judge, reasonFor, updateGaps } from "./gaps.js";
import { type KindSummary, runKind } from "./run-kind.js";

const { positionals, values } = parseArgs({ allowPositionals: true, options: { "update-gaps": { type: "boolean" } } });
const elsewhere = process.env["KERAS_GOLDENS_DIR"];
const folder = elsewhere ?? new URL("../data/goldens", import.meta.url).pathname;
const show = Number(process.env["GOLDENS_FAILURES"] ?? 1);
const gaps = gapsFor(backend());
const runs = new Map<string, KindSummary>();
let passed = 0;
let failed = 0;
let known = 0;
let wrong = 0;
for (const kind of positionals.length > 0 ? positionals : kindsIn(folder)) {
  const summary = await runKind(folder, kind);
  runs.set(kind, summary);
  let listed = 0;
  for (const [target, { passed: good, failures }] of [...summary.targets].sort()) {
    console.log(`  ${kind} ${target}: ${good.length} passed, ${failures.length} failed`);
    for (const { id, message } of failures.slice(0, show)) console.log(`      ${id}: ${message.slice(0, 300)}`);
    listed += failures.filter(({ id }) => reasonFor(gaps, `${kind}:${target}`, id) !== null).length;
  }
  console.log(`${kind}: ${summary.passed} passed, ${summary.failed} failed (${listed} known gaps)`);
  const { failures, closed } = judge(kind, summary, gaps);
  for (const id of elsewhere ? [] : closed) console.log(`  closed gap: ${id}`);
  passed += summary.passed;
  failed += summary.failed;
  known += listed;
  wrong += elsewhere ? summary.failed : failures.length + closed.length;
}
console.log(`${passed} passed, ${failed} failed (${known} known gaps)`);
if (values["update-gaps"]) {
  if (elsewhere) throw new Error("--update-gaps is for the project's own cases: unset KERAS_GOLDENS_DIR.");
  updateGaps(backend(), runs);
  console.log(`${gapsPath(backend())} is written.`);
} else process.exitCode = wrong > 0 ? 1 : 0;
