import { configure } from "../config/configure.js";
import type { Shape } from "../core/dtype.js";
import type { Variable } from "../core/variable.js";
import { add } from "../ops/arithmetic.js";
import type { ConfusionCounts } from "./confusion-counts.js";
import { ComparingMetric } from "./comparing-metric.js";

/** Base of metrics that keep all four counts for many thresholds. */
export abstract class CountingMetric extends configure(ComparingMetric, "CountingMetric", {}) {
  protected truePositives: Variable | null = null;
  protected falsePositives: Variable | null = null;
  protected trueNegatives: Variable | null = null;
  protected falseNegatives: Variable | null = null;

  override get direction(): "up" {
    return "up";
  }
  /** Makes the state. */
  protected makeCounts(shape: Shape): void {
    this.truePositives = this.addVariable({ name: "true_positives", shape });
    this.falsePositives = this.addVariable({ name: "false_positives", shape });
    this.trueNegatives = this.addVariable({ name: "true_negatives", shape });
    this.falseNegatives = this.addVariable({ name: "false_negatives", shape });
  }
  /** Adds the counts of a batch. */
  protected addCounts(counts: ConfusionCounts): void {
    for (const which of ["truePositives", "falsePositives", "trueNegatives", "falseNegatives"] as const)
      this[which]!.assign(add(this[which]!.value, counts[which]));
  }
}
