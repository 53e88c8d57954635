import type { CallbackList } from "../../callbacks/callback-list.js";
import type { EpochIterator } from "../epoch-iterator.js";
import { Breather } from "../event-loop.js";
import type { LatestLogs } from "../step-logs.js";
import type { StepFunction } from "../state.js";
import { runStep } from "../run-step.js";
import type { StepLogs } from "../types.js";

export interface LoopOptions {
  readonly kind: "Train" | "Test";
  readonly callbacks: CallbackList;
  readonly stepsPerExecution: number;
  readonly step: StepFunction<StepLogs>;
  /** Whether a callback wants the loop to end. */
  readonly stopped: () => boolean;
  readonly breather?: Breather;
}

/** One pass of steps over an epoch; the logs of the last one stay in `latest`. Returns the number of steps. */
export async function runEpoch(iterator: EpochIterator, latest: LatestLogs, options: LoopOptions): Promise<number> {
  const { kind, callbacks, stepsPerExecution, step, stopped, breather = new Breather() } = options;
  const read = (): ReturnType<LatestLogs["read"]> => latest.read();
  const begins = `on${kind}BatchBegin` as const;
  const ends = `on${kind}BatchEnd` as const;
  const take = (logs: StepLogs): void => latest.set(logs);
  await iterator.begin();
  let done = 0;
  for (;;) {
    let batch = iterator.next();
    if (batch instanceof Promise) batch = await batch;
    if (batch === null) break;
    const begun = callbacks.callBatchBegin(begins, done);
    if (begun) await begun;
    for (let i = 1; ; i++) {
      const finished = runStep(step, batch, take);
      if (finished) await finished;
      if (i === stepsPerExecution) break;
      batch = iterator.next();
      if (batch instanceof Promise) batch = await batch;
      if (batch === null) break;
    }
    done += stepsPerExecution;
    const ended = callbacks.callBatchEnd(ends, done - 1, read);
    if (ended) await ended;
    if (stopped()) break;
    if (breather.isDue) await breather.breathe();
  }
  const end = iterator.end();
  if (end) await end;
  return done;
}
