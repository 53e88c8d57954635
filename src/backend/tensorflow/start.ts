import { mayBeMissing } from "../may-be-missing.js";
import { loadLibrary, tf } from "./library.js";

interface Environment {
  /** What browsers, which have no environment variables, set before keras-ts is loaded. */
  readonly KERAS_TFJS_BACKEND?: string;
  /** Threads of the WebAssembly backend in browsers: unset, it takes what it finds where pages may share memory. */
  readonly KERAS_TFJS_THREADS?: number;
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly versions?: { readonly node?: string };
    emitWarning?(message: string): void;
  };
  readonly console?: { warn(message: string): void };
}
const host = globalThis as Environment;

/** How each TensorFlow.js backend is loaded. */
const loaders: Readonly<Record<string, () => Promise<unknown>>> = {
  wasm: loadWasm,
  cpu: () => import("@tensorflow/tfjs-backend-cpu").catch(mayBeMissing),
  webgl: () => import("@tensorflow/tfjs-backend-webgl").catch(mayBeMissing),
  webgpu: () => import("@tensorflow/tfjs-backend-webgpu").catch(mayBeMissing),
};

async function loadWasm(): Promise<void> {
  const { setThreadsCount, setWasmPaths } = await import("@tensorflow/tfjs-backend-wasm").catch(mayBeMissing);
  const threads = threadsWanted();
  const isNode = host.process?.versions?.node !== undefined;
  if (threads !== null) {
    // Browsers find out by themselves whether a page may share memory; in Node the library never tries.
    if (isNode || threads === 1) tf.env().set("WASM_HAS_MULTITHREAD_SUPPORT", threads > 1);
    setThreadsCount(threads);
  }
  if (!isNode) return;
  const { wasmDirectory } = await import("./wasm-directory.node.js");
  setWasmPaths(wasmDirectory());
}

/** The number that `globalThis.KERAS_TFJS_THREADS` or the environment variable of that name gives; null when unset. Throws on others than 1 to 8. */
function threadsWanted(): number | null {
  const given = host.KERAS_TFJS_THREADS ?? host.process?.env?.["KERAS_TFJS_THREADS"];
  if (given === undefined || given === "") return null;
  const threads = Number(given);
  if (Number.isInteger(threads) && threads >= 1 && threads <= MAX_THREADS) return threads;
  throw new RangeError(`KERAS_TFJS_THREADS must be a whole number from 1 to ${MAX_THREADS}. Received: ${given}.`);
}
/** Workers that the WebAssembly backend makes. */
const MAX_THREADS = 8;

/**
 * Starts TensorFlow.js on the backend that `globalThis.KERAS_TFJS_BACKEND` or the environment variable of that name tells ("wasm" when
 * unset, else "cpu", in browsers also "webgl" or "webgpu", or one the program has registered itself), and returns its name. Where
 * WebAssembly does not start, "cpu" takes over with a warning.
 */
export async function startTensorFlow(
  wanted = host.KERAS_TFJS_BACKEND ?? host.process?.env?.["KERAS_TFJS_BACKEND"],
): Promise<string> {
  await loadLibrary();
  const name = wanted || "wasm";
  // What is written wrongly is an error of its own, not a backend that does not start.
  threadsWanted();
  try {
    await start(name);
    return name;
  } catch (error) {
    if (name !== "wasm" || isMissingModule(error)) throw error;
    warn(
      `TensorFlow.js: the backend "wasm" did not start (${String(error)}); "cpu", which is far slower, takes its place.`,
    );
    await start("cpu");
    return "cpu";
  }
}

async function start(name: string): Promise<void> {
  if (!tf.findBackendFactory(name)) {
    const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined;
    if (!load) {
      const known = Object.keys(loaders).join(", ");
      throw new Error(
        `Unknown TensorFlow.js backend: ${JSON.stringify(name)} (from KERAS_TFJS_BACKEND). Expected one of: ${known}, or one registered before.`,
      );
    }
    await load();
  }
  if (!(await setBackend(name))) throw new Error(`the backend "${name}" could not be initialized`);
}

/** Makes the backend, in Node with the threads it is to have. */
async function setBackend(name: string): Promise<boolean> {
  const threads = name === "wasm" && host.process?.versions?.node ? (threadsWanted() ?? 1) : 1;
  if (threads === 1) return tf.setBackend(name);
  const { settleThreads, withThreadsInNode } = await import("./threads.node.js");
  const started = await withThreadsInNode(threads, () => tf.setBackend(name));
  if (started) settleThreads((tf.backend() as unknown as { readonly wasm: object }).wasm);
  return started;
}

const isMissingModule = (error: unknown): boolean =>
  ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes((error as { readonly code?: string } | null)?.code ?? "");

function warn(message: string): void {
  if (host.process?.emitWarning) host.process.emitWarning(message);
  else host.console?.warn(message);
}
