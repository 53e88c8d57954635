import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import path from "node:path";
import readline from "node:readline";

/** Where the children run: there "keras-ts" is this package, as built. */
export const root = path.resolve(import.meta.dirname, "..");

/** What is measured: a name for the table and the program that answers commands. */
export interface SubjectSpec {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** A program that imports Keras and prints the milliseconds it took. */
  readonly importing: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** A running process that measures workloads on request and is idle in between. */
export class Subject {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #timeout: number;
  #errors = "";

  private constructor(
    readonly spec: SubjectSpec,
    timeout: number,
  ) {
    this.#timeout = timeout;
    const [program, ...args] = spec.command;
    this.#child = spawn(program, args, { cwd: root, env: { ...process.env, ...spec.env }, stdio: "pipe" });
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#errors += text));
    this.#child.stdin.on("error", () => undefined); // The answer that then fails to come tells more.
    this.#child.on("error", (error) => (this.#errors += error.message));
    this.#lines = readline.createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Starts the process and waits until it is ready; throws with what it printed when it is not within the time. */
  static async start(spec: SubjectSpec, timeout: number): Promise<{ subject: Subject; version: string }> {
    const subject = new Subject(spec, timeout);
    const { version } = await subject.#answer();
    return { subject, version: String(version) };
  }

  /** Milliseconds of each step of a workload. */
  async measure(workload: string, steps: number): Promise<number[]> {
    this.#child.stdin.write(`${workload} ${steps}\n`);
    const { ms } = await this.#answer();
    return ms as number[];
  }

  stop(): void {
    this.#child.kill("SIGKILL");
  }

  async #answer(): Promise<Record<string, unknown>> {
    const timer = setTimeout(() => this.stop(), this.#timeout);
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done === true) throw new Error(`${this.spec.name} stopped:\n${this.#errors.trim().slice(-2000)}`);
      if (!value.startsWith("{")) continue;
      clearTimeout(timer);
      return JSON.parse(value) as Record<string, unknown>;
    }
  }
}
