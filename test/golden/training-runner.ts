/**
 * Trains recorded models and compares every step with Python Keras.
 *
 *     KERAS_TRAINING_GOLDENS_DIR=<folder> npm run goldens:training [-- case...]
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import "../../src/backend/index.js";
import "../../src/ops/operators.js";
import "../../src/layers/index.js";
import "../../src/models/index.js";
import { clearSession } from "../../src/core/settings.js";
import { runTrainingCase } from "./training-case.js";

const { positionals } = parseArgs({ allowPositionals: true });
const folder = process.env["KERAS_TRAINING_GOLDENS_DIR"] ?? new URL("../data/training", import.meta.url).pathname;
const cases = readdirSync(folder)
  .filter(
    (name) =>
      existsSync(join(folder, name, "expected.json")) && (positionals.length === 0 || positionals.includes(name)),
  )
  .sort();
let failed = 0;
for (const name of cases) {
  clearSession();
  try {
    await runTrainingCase(join(folder, name));
    console.log(`${name}: passed`);
  } catch (error) {
    failed++;
    console.log(`${name}: failed. ${error instanceof Error ? error.message : String(error)}`);
  }
}
console.log(`${cases.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
