import { deserializeKerasObject } from "../../../src/config/deserialize.js";
import { TensorScope } from "../../../src/core/tensor.js";
import type { Variable } from "../../../src/core/variable.js";
import { CompileMetrics } from "../../../src/trainers/compile/compile-metrics.js";
import { toDevice } from "../../../src/trainers/to-device.js";
import { snakeToCamel } from "../../../src/utils/naming.js";
import type { Arrays, GoldenCase } from "../cases.js";
import { compare, Mismatch } from "../compare.js";
import { asOperand, decode, plain } from "../decode.js";
import { decodeCall, type Kind } from "./kind.js";

interface Event {
  readonly do: "update_state" | "result" | "reset_state";
  readonly args: readonly unknown[];
  readonly kwargs: Readonly<Record<string, unknown>>;
  readonly out?: unknown;
  readonly variables?: readonly unknown[];
  readonly raises?: object;
}
interface Traced {
  readonly variables: Variable[];
  updateState(...args: unknown[]): void;
  result(): unknown;
  resetState(): void;
}

async function metricOf(golden: GoldenCase, arrays: Arrays): Promise<Traced> {
  if (golden.target !== "CompileMetrics") return deserializeKerasObject(golden["config"] as never) as Traced;
  const config = golden["config"] as Record<string, unknown>;
  const [metrics, weighted, names] = await Promise.all(
    ["metrics", "weighted_metrics", "output_names"].map((key) => decode(config[key], arrays)),
  );
  const compiled = new CompileMetrics(plain(metrics) as never, plain(weighted) as never, names as string[] | null);
  return {
    get variables() {
      return compiled.variables;
    },
    updateState: (y, p, w = null) =>
      compiled.updateState(...(toDevice([y, p, w] as never) as unknown as [never, never])),
    result: () => compiled.result(),
    resetState: () => compiled.resetState(),
  };
}

const parameters = ["y_true", "y_pred", "sample_weight"];
/** Metrics of one value call it otherwise. */
const placeOf = (name: string, count: number): number =>
  name === "sample_weight" && count === 1 ? 1 : parameters.indexOf(name);

/** A metric's life: updates, results and resets in their order, with the state after each. */
export const metric: Kind = {
  async replay(golden, arrays) {
    const traced = await metricOf(golden, arrays);
    for (const [i, event] of (golden["events"] as Event[]).entries()) {
      using _ = new TensorScope();
      const { args, kwargs } = await decodeCall(event as unknown as GoldenCase, arrays);
      const given: unknown[] = args.map(asOperand);
      for (const [name, value] of Object.entries(kwargs)) {
        const place = placeOf(name, given.length);
        given[place < 0 ? given.length : place] = asOperand(value);
      }
      const run = (): unknown =>
        (traced as unknown as Record<string, (...a: unknown[]) => unknown>)[snakeToCamel(event.do)]!.call(
          traced,
          ...given,
        );
      const where = `event ${i} (${event.do})`;
      if (event.raises) {
        await expectError(run, where);
        continue;
      }
      const out = run();
      if ("out" in event) await compare(out, event.out, arrays, where);
      if (event.variables) await compare(traced.variables, event.variables, arrays, `${where} variables`);
    }
  },
};

async function expectError(run: () => unknown, where: string): Promise<void> {
  try {
    await run();
  } catch {
    return;
  }
  throw new Mismatch(`${where}: expected an error`);
}
