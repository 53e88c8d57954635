import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** Threads that Emscripten's program for them knows from inside. */
interface ThreadPool {
  readonly unusedWorkers: { unref(): void; terminate(): Promise<number> }[];
  readonly runningWorkers: { unref(): void }[];
}

/**
 * Calls `start` so that the WebAssembly backend of TensorFlow.js, which thinks of browsers alone, gets `threads` threads in Node: it asks
 * for a URL of its worker's code, which here is a module that Node can load, and takes half as many threads as there are cores.
 */
export async function withThreadsInNode<T>(threads: number, start: () => Promise<T>): Promise<T> {
  const { createObjectURL } = URL;
  const { cpus } = os;
  URL.createObjectURL = () => workerModule() as unknown as string;
  os.cpus = () => {
    const all = cpus();
    return Array.from({ length: 2 * threads }, (_, i) => all[i % all.length]!);
  };
  try {
    return await start();
  } finally {
    URL.createObjectURL = createObjectURL;
    os.cpus = cpus;
  }
}

/** The code of a worker, which loads the parts that the package has for browsers. */
function workerModule(): URL {
  const main = createRequire(import.meta.url).resolve("@tensorflow/tfjs-backend-wasm");
  const script = path.join(path.dirname(main), "../wasm-out/tfjs-backend-wasm-threaded-simd.js");
  const code = `
    import { createRequire } from "node:module";
    const script = ${JSON.stringify(script)};
    const require = createRequire(${JSON.stringify(pathToFileURL(script).href)});
    Object.assign(globalThis, { require, __filename: script, __dirname: ${JSON.stringify(path.dirname(script))} });
    URL.createObjectURL = () => script;
    URL.revokeObjectURL = () => {};
    const { wasmWorkerContents } = require(script.replace(/js$/, "worker.js"));
    (0, eval)(wasmWorkerContents.replaceAll("\\n", "\\\\n"));`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

/** Ends the workers that got no thread, and keeps the others from keeping the process alive. */
export function settleThreads({ PThread }: { readonly PThread?: ThreadPool }): void {
  if (!PThread) return;
  for (const worker of PThread.runningWorkers) worker.unref();
  for (const worker of PThread.unusedWorkers.splice(0)) void worker.terminate();
}
