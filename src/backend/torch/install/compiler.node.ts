import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

type Env = Readonly<Record<string, string | undefined>>;

/** The C++ compiler: what `CXX` names, with arguments if it has some ("ccache g++"), else the system's usual one. */
export function compilerCommand(env: Env = process.env): readonly [program: string, ...first: string[]] {
  const named = (env["CXX"] || (process.platform === "darwin" ? "clang++" : "g++")).trim();
  // The path of a program may have spaces in it.
  if (existsSync(named)) return [named];
  const [program = named, ...first] = named.split(/\s+/);
  return [program, ...first];
}

/** Whether the compiler is clang, going by its name. */
export const isClang = (env: Env = process.env): boolean =>
  compilerCommand(env).some((word) => /(^|\/)clang/.test(word));

/**
 * Runs the compiler on an input until it ends, or until `signal` ends it. Rejects with its own words and with what is to be
 * done: there is none, it is too old, memory does not suffice.
 */
export async function runCompiler(flags: readonly string[], input: string, signal?: AbortSignal): Promise<void> {
  const [program, ...first] = compilerCommand();
  const failed = await new Promise<string | null>((resolve, reject) => {
    const child = spawn(program, [...first, ...flags], {
      stdio: ["pipe", "ignore", "pipe"],
      ...(signal && { signal }),
    });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
    child.stdin.on("error", () => undefined); // A compiler that fails early does not read its input.
    child.stdin.end(input);
    child.on("error", (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "ENOENT" ? "is not there" : `does not start (${cause.code ?? cause.message})`;
      const way =
        process.platform === "darwin"
          ? "xcode-select --install"
          : "apt-get install g++, or what your system has instead";
      const message = `The C++ compiler ${program} ${why}. Install one (${way}), or name another one in CXX.`;
      reject(new Error(message, { cause }));
    });
    child.on("close", (code) =>
      resolve(code === 0 ? null : `${program} ended with ${code}:\n${errors.slice(0, 8000)}`),
    );
  });
  if (failed !== null) throw new Error(`${failed.trimEnd()}\n${adviceFor(failed)}`);
}

function adviceFor(errors: string): string {
  if (/\bkilled\b|out of memory|cannot allocate/i.test(errors))
    return "Memory did not suffice: compiling takes up to 2 GB in all. Close other programs or add swap, then run this again.";
  return "The addon needs g++ 9 or clang 10, for libtorch 2.11 and later g++ 11 or clang 14. CXX names another compiler.";
}
