import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, test } from "vitest";
import "../../src/backend/index.js";
import "../../src/ops/operators.js";
import "../../src/layers/index.js";
import "../../src/models/index.js";
import { clearSession } from "../../src/core/settings.js";
import { runTrainingCase } from "./training-case.js";

const folder = new URL("../data/training", import.meta.url).pathname;

describe("models trained by Python Keras repeat step by step", () => {
  beforeEach(() => clearSession());
  for (const name of readdirSync(folder)) test(name, () => runTrainingCase(join(folder, name)), 60_000);
});
