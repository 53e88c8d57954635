/**
 * Replays recorded calls of Python Keras on the engine that KERAS_BACKEND names.
 *
 *     KERAS_GOLDENS_DIR=<folder> npm run goldens [-- kind...]
 *
 * GOLDENS_FAILURES=<n> shows the first n failures of each target.
 */
import { parseArgs } from "node:util";
import { kindsIn } from "./cases.js";
import { runKind } from "./run-kind.js";

const { positionals } = parseArgs({ allowPositionals: true });
const folder = process.env["KERAS_GOLDENS_DIR"] ?? new URL("../data/goldens", import.meta.url).pathname;
const show = Number(process.env["GOLDENS_FAILURES"] ?? 1);
let passed = 0;
let failed = 0;
for (const kind of positionals.length > 0 ? positionals : kindsIn(folder)) {
  const summary = await runKind(folder, kind);
  for (const [target, { passed: good, failures }] of [...summary.targets].sort()) {
    console.log(`  ${kind} ${target}: ${good.length} passed, ${failures.length} failed`);
    for (const { id, message } of failures.slice(0, show)) console.log(`      ${id}: ${message.slice(0, 300)}`);
  }
  console.log(`${kind}: ${summary.passed} passed, ${summary.failed} failed`);
  passed += summary.passed;
  failed += summary.failed;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
