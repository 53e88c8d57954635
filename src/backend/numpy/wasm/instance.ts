import { FMA, PLAIN } from "./module.generated.js";

/** What the compiled kernels export: byte pointers and sizes as int32. Use `Kernels`, which checks nothing but names everything. */
export interface KernelExports {
  gemm(...args: number[]): void;
  gemmBatched(...args: number[]): void;
  gemmWorkspace(m: number, n: number, k: number): number;
  runChain(code: number, start: number, end: number, workspace: number): void;
  convWorkspace(shape: number): number;
  convForward(shape: number, x: number, w: number, y: number, workspace: number, mode: number, bias: number): void;
  convKernelGradient(shape: number, x: number, g: number, dw: number, workspace: number): void;
  convInputGradient(shape: number, g: number, w: number, dx: number, workspace: number): void;
  pool(shape: number, x: number, y: number, mode: number): void;
  maxPoolGradient(shape: number, x: number, g: number, dx: number): void;
  sumPoolGradient(shape: number, g: number, dx: number, mode: number): void;
  reduce(op: number, x: number, y: number, outer: number, n: number, inner: number, workspace: number): void;
  argExtreme(smallest: number, x: number, y: number, outer: number, n: number, inner: number): void;
  copyStrided(plan: number, src: number, dst: number, shift: number): void;
  reduceBools(all: number, x: number, y: number, outer: number, n: number, inner: number): void;
  takeRows(...args: number[]): void;
  fillBytes(to: number, bytes: number, low: number, high: number): void;
  takeAlong(...args: number[]): void;
  sortWorkspace(n: number): number;
  sortRows(x: number, y: number, rows: number, n: number, kind: number, flip: number, workspace: number): void;
  argSortRows(x: number, y: number, rows: number, n: number, kind: number, flip: number, workspace: number): void;
  topRows(...args: number[]): void;
  scatterAddRows(dst: number, rows: number, width: number, index: number, n: number, src: number): void;
  threefry(k0: number, k1: number, high: number, low: number, n: number, out: number, out2: number): void;
}

/** Instantiated kernels and the memory they work on. */
export interface KernelInstance {
  readonly memory: WebAssembly.Memory;
  readonly exports: KernelExports;
  /** The compiled module, for further instances on the same memory (worker threads). */
  readonly module: WebAssembly.Module;
  /** Whether products are rounded once (fused multiply-add). */
  readonly fma: boolean;
  /** Whether the memory is shared, so that views survive growth. */
  readonly shared: boolean;
}

export interface InstanceOptions {
  /** false: never the fused variant. */
  readonly fma?: boolean;
  /** false: a plain memory even where a shared one can be made. */
  readonly shared?: boolean;
  /** A memory to work in, whose owner allocates; nothing below byte 1024 may be in use. Otherwise one is made. */
  readonly memory?: WebAssembly.Memory;
}

/** Instantiates the kernels synchronously, or returns null where WebAssembly (or its SIMD) is missing or forbidden by the page's policy. */
export function instantiateKernels(options: InstanceOptions = {}): KernelInstance | null {
  if (typeof WebAssembly !== "object") return null;
  for (const fma of (options.fma ?? environment("KERAS_NUMPY_FMA") !== "0") ? [true, false] : [false]) {
    try {
      const bytes = decodeBase64(fma ? FMA : PLAIN);
      if (fma && !WebAssembly.validate(bytes)) allowRelaxedSimd();
      if (!WebAssembly.validate(bytes)) continue;
      const memory = options.memory ?? createMemory(options.shared ?? true);
      const shared = typeof SharedArrayBuffer === "function" && memory.buffer instanceof SharedArrayBuffer;
      if (!shared) importUnsharedMemory(bytes);
      const module = new WebAssembly.Module(bytes);
      const exports = typedExports(new WebAssembly.Instance(module, { env: { memory } }));
      return { memory, module, fma, shared, exports };
    } catch {
      // A policy refuses compilation, or no memory can be reserved: the next variant, then plain TypeScript.
    }
  }
  return null;
}

const typedExports = (instance: WebAssembly.Instance): KernelExports => instance.exports as unknown as KernelExports;

interface NodeProcess {
  readonly env?: Record<string, string | undefined>;
  getBuiltinModule?(name: string): { setFlagsFromString?(flag: string): void } | undefined;
}
const nodeProcess = (globalThis as { process?: NodeProcess }).process;
const environment = (name: string): string | undefined => nodeProcess?.env?.[name];

/** Node 20 has relaxed SIMD behind a flag that may be set while running; later versions have it as is. */
function allowRelaxedSimd(): void {
  try {
    nodeProcess?.getBuiltinModule?.("node:v8")?.setFlagsFromString?.("--experimental-wasm-relaxed-simd");
  } catch {
    // Not Node, or flags are frozen: the plain variant it is.
  }
}

const MAX_PAGES = 65536;

/** A memory of up to 4 GiB, or of the largest maximum that can be reserved. */
function createMemory(shared: boolean): WebAssembly.Memory {
  for (const share of shared ? [true, false] : [false]) {
    for (let maximum = MAX_PAGES; maximum >= 4096; maximum /= 2) {
      try {
        return new WebAssembly.Memory({ initial: 64, maximum, shared: share });
      } catch {
        // Address space is short: ask for half.
      }
    }
  }
  throw new RangeError("No WebAssembly memory can be reserved.");
}

/** Clears the "shared" bit in the module's memory import, the only difference a plain memory makes. */
function importUnsharedMemory(bytes: Uint8Array): void {
  const name = [3, ...new TextEncoder().encode("env"), 6, ...new TextEncoder().encode("memory"), 2, 3];
  const at = bytes.findIndex((_, i) => name.every((byte, j) => bytes[i + j] === byte));
  if (at < 0) throw new Error("The kernel module imports no shared memory.");
  bytes[at + name.length - 1] = 1;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
