import { backend } from "../../../src/backend/index.js";
import { kindsIn } from "../../golden/cases.js";
import { runKind } from "../../golden/run-kind.js";
import { runTrainingCase } from "../../golden/training-case.js";
import "../../../src/ops/operators.js";
import "../../../src/layers/index.js";
import "../../../src/models/index.js";
import { clearSession } from "../../../src/core/settings.js";
import { report } from "./report.js";
import type { GoldensReport } from "./results.js";

interface Wanted {
  /** Of each kind, cases 0, every, 2 * every... are repeated. */
  readonly every: number;
  readonly kinds: readonly string[] | null;
  readonly training: readonly string[];
}
const { every, kinds, training } = (globalThis as unknown as { wanted: Wanted }).wanted;

/** Repeats a part of the recorded calls and training runs of Python Keras on the engine of the page. */
await report(async (progress) => {
  const found: GoldensReport = { backend: backend(), kinds: {}, training: {} };
  const folder = `${location.origin}/goldens`;
  for (const kind of kinds ?? kindsIn(folder)) {
    const began = performance.now();
    const { targets } = await runKind(folder, kind, {
      keep: (index) => index % every === 0,
      onCase: ({ id, target }) => progress(`${kind} ${target} ${id}`),
    });
    found.kinds[kind] = { targets: Object.fromEntries(targets), seconds: (performance.now() - began) / 1000 };
  }
  for (const name of training) {
    progress(`training ${name}`);
    clearSession();
    found.training[name] = await runTrainingCase(`${location.origin}/training/${name}`).then(
      () => null,
      (error: unknown) => String(error),
    );
  }
  return found;
});
