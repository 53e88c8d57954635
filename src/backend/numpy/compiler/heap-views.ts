import type { Kernels as WasmKernels } from "../wasm/index.js";

/** All of the heap through one typed array, made anew when the memory has grown. */
function wholeHeap<T>(make: (buffer: ArrayBufferLike) => T): (wasm: WasmKernels) => () => T {
  return ({ heap }) => {
    let buffer = heap.buffer;
    let view = make(buffer);
    return () => {
      if (buffer !== heap.buffer) {
        ({ buffer } = heap);
        view = make(buffer);
      }
      return view;
    };
  };
}
/** The heap as 32-bit words. */
export const wordsOfHeap = wholeHeap((buffer) => new Int32Array(buffer));
/** The heap as bytes. */
export const bytesOfHeap = wholeHeap((buffer) => new Uint8Array(buffer));
