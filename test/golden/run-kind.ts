import { readCases } from "./cases.js";
import { replay } from "./replay.js";

export interface TargetSummary {
  passed: number;
  readonly failures: { readonly id: string; readonly message: string }[];
}
export interface KindSummary {
  readonly targets: Map<string, TargetSummary>;
  passed: number;
  failed: number;
}

/** Replays all cases of a kind. A target that does not exist fails, it is never skipped. */
export async function runKind(folder: string, kind: string): Promise<KindSummary> {
  const { cases, arrays } = readCases(folder, kind);
  const summary: KindSummary = { targets: new Map(), passed: 0, failed: 0 };
  for (const golden of cases) {
    let target = summary.targets.get(golden.target);
    if (!target) summary.targets.set(golden.target, (target = { passed: 0, failures: [] }));
    try {
      await replay(golden, arrays);
      target.passed++;
      summary.passed++;
    } catch (error) {
      target.failures.push({ id: golden.id, message: error instanceof Error ? error.message : String(error) });
      summary.failed++;
    }
  }
  return summary;
}
