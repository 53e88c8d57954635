import readline from "node:readline";

const say = (answer: object): void => console.log(JSON.stringify(answer));

/** Says `greeting`, then in a line of JSON what `answer` gives for each line of standard input, as bench/protocol.py does. */
export async function serve(greeting: object, answer: (command: string) => object | Promise<object>): Promise<void> {
  say(greeting);
  for await (const line of readline.createInterface({ input: process.stdin })) say(await answer(line.trim()));
}

/** Milliseconds of each step of a workload. */
type Measure = (workload: string, steps: number) => Promise<readonly number[]>;

/** Answers "WORKLOAD STEPS" with `{ workload, ms }`, or with `{ workload, error }` where measuring fails. */
export const serveWorkloads = (greeting: object, measure: Measure): Promise<void> =>
  serve(greeting, async (command) => {
    const [workload = "", steps = "1"] = command.split(/\s+/);
    try {
      return { workload, ms: await measure(workload, Number(steps)) };
    } catch (error) {
      return { workload, error: String(error) };
    }
  });
