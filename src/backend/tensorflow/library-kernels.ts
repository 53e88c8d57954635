/** What is used here of TensorFlow.js's WebAssembly backend below its public interface: its pinned version has it. */
export interface KernelModule {
  cwrap(name: string, result: null, args: readonly "number"[]): (...args: number[]) => void;
  readonly tfjs: {
    registerTensor(id: number, size: number, ptr: number): void;
    disposeData(id: number): void;
  };
}
/** A piece of TensorFlow.js's heap: its address and the float32 elements there. */
export interface Region {
  readonly ptr: number;
  readonly size: number;
}
type Pair = readonly [number, number];
/** Geometry of a 2-d convolution over [batch, ...size, channels]. */
export interface Window {
  readonly batch: number;
  readonly size: Pair;
  readonly channels: number;
  readonly kernel: Pair;
  readonly filters: number;
  readonly strides: Pair;
  readonly dilation: Pair;
  readonly padding: readonly [readonly [number, number], readonly [number, number]];
}

/** Kernels of TensorFlow.js on addresses of its heap, where the plan of a Program puts operands and results. */
export class LibraryKernels {
  readonly #conv: (...args: number[]) => void;

  constructor(
    private readonly module: KernelModule,
    /** An id that no tensor has. */
    private readonly nextId: () => number,
  ) {
    this.#conv = module.cwrap("Conv2D", null, new Array<"number">(19).fill("number"));
  }

  /** y = x convolved with w. */
  convolve(
    { batch, size, channels, kernel, filters, strides, dilation, padding }: Window,
    x: Region,
    w: Region,
    y: Region,
  ): void {
    const [[top, bottom], [left, right]] = padding;
    this.#with([x, w, y], (x, w, y) =>
      this.#conv(
        x,
        batch,
        ...size,
        w,
        ...kernel,
        top,
        right,
        bottom,
        left,
        0,
        ...dilation,
        ...strides,
        channels,
        filters,
        y,
      ),
    );
  }

  /** Calls a kernel with regions as tensors, which exist for the call alone: nothing that is kept of weights outlives their values. */
  #with(regions: readonly Region[], call: (...ids: number[]) => void): void {
    const { registerTensor, disposeData } = this.module.tfjs;
    const ids = regions.map(({ ptr, size }) => {
      const id = this.nextId();
      registerTensor(id, size, ptr);
      return id;
    });
    try {
      call(...ids);
    } finally {
      for (const id of ids) disposeData(id);
    }
  }
}
