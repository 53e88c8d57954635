import type { Kernels as WasmKernels } from "../wasm/index.js";

interface Block {
  ptr: number;
  bytes: number;
}
/** One block for each level of programs that run inside programs: those of one level never run at the same time. */
const blocks = new WeakMap<WasmKernels, Block[]>();
let level = 0;

/** Calls `use` with the address of at least `bytes` bytes that no other running program uses. */
export function withArena(wasm: WasmKernels, bytes: number, use: (base: number) => void): void {
  let levels = blocks.get(wasm);
  if (!levels) blocks.set(wasm, (levels = []));
  const block = (levels[level] ??= { ptr: 0, bytes: 0 });
  if (block.bytes < bytes) {
    if (block.bytes > 0) wasm.heap.free(block.ptr);
    block.bytes = 0;
    block.ptr = wasm.heap.malloc(bytes);
    block.bytes = bytes;
  }
  level++;
  try {
    use(block.ptr);
  } finally {
    level--;
  }
}
