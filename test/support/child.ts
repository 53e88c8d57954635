import { spawn } from "node:child_process";

export interface ChildOptions {
  readonly cwd?: string;
  /** Added to this process's environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Written to the child's standard input, which is then closed. */
  readonly input?: string | Uint8Array;
  /** Milliseconds after which the child is killed and the run fails. */
  readonly timeout?: number;
}

/** Runs a program to its end and returns what it printed; throws with its error output when it fails or takes too long. */
export function run(command: string, args: readonly string[], options: ChildOptions = {}): Promise<string> {
  const { cwd, env = {}, input = "", timeout = 120_000 } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: "pipe" });
    let stdout = "";
    let stderr = "";
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, timeout);
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stdin.on("error", () => undefined); // A child may end without reading its input; its exit code tells the rest.
    child.stdin.end(input);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return resolve(stdout);
      const ended = late ? `took longer than ${timeout} ms` : `ended with ${code ?? signal}`;
      reject(new Error(`${command} ${args.join(" ")} ${ended}:\n${stderr || stdout}`));
    });
  });
}
