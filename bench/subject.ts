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
  /** Environment variables to set, or to take away (undefined). */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A line of JSON that a process wrote. */
export type Answer = Readonly<Record<string, unknown>>;

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
  static async start(spec: SubjectSpec, timeout: number): Promise<{ subject: Subject; greeting: Answer }> {
    const subject = new Subject(spec, timeout);
    return { subject, greeting: await subject.#answer() };
  }

  /** The answer to a command. */
  async ask(command: string): Promise<Answer> {
    this.#child.stdin.write(`${command}\n`);
    return this.#answer();
  }

  stop(): void {
    this.#child.kill("SIGKILL");
  }

  async #answer(): Promise<Answer> {
    const timer = setTimeout(() => this.stop(), this.#timeout);
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done === true) throw new Error(`${this.spec.name} stopped:\n${this.#errors.trim().slice(-2000)}`);
      if (!value.startsWith("{")) continue;
      clearTimeout(timer);
      return JSON.parse(value) as Answer;
    }
  }
}
