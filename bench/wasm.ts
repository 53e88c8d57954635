// Speed of the built-in engine's WebAssembly kernels, by CPU time of this process: GFLOP/s, or GB/s of the arrays read and written.
// Run with `npx tsx --conditions=source bench/wasm.ts [plain|fma]`; it takes a few seconds.
import { type ChainBuilder, type ChainOp, ChainBuilder as Builder } from "../src/backend/numpy/wasm/chain.js";
import { Heap } from "../src/backend/numpy/wasm/heap.js";
import { instantiateKernels } from "../src/backend/numpy/wasm/instance.js";
import { Kernels } from "../src/backend/numpy/wasm/kernels.js";
import type { WindowShape } from "../src/backend/numpy/wasm/window-shape.js";

const only = process.argv[2];
for (const fma of [false, true]) {
  if (only && only !== (fma ? "fma" : "plain")) continue;
  const instance = instantiateKernels({ fma });
  if (!instance || instance.fma !== fma) continue;
  const kernels = new Kernels(instance, new Heap(instance.memory));
  console.log(fma ? "\nfused multiply-add" : "plain SIMD");
  benchProducts(kernels);
  benchConvolutions(kernels);
  benchMemory(kernels);
}

/** Prints work per nanosecond: the median of short runs, in CPU time. */
function report(name: string, unit: "GFLOP/s" | "GB/s", work: number, run: () => void): void {
  const repeat = Math.max(1, Math.round(4e6 / work));
  for (let i = 0; i < 3; i++) run();
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const before = process.cpuUsage();
    for (let i = 0; i < repeat * 4; i++) run();
    const { user, system } = process.cpuUsage(before);
    times.push(((user + system) * 1e3) / (repeat * 4));
  }
  times.sort((a, b) => a - b);
  console.log(`  ${name.padEnd(44)}${(work / times[4]!).toFixed(1).padStart(7)} ${unit}`);
}

function floats({ heap }: Kernels, length: number): number {
  const ptr = heap.malloc(length * 4);
  const view = heap.view(ptr, "float32", length);
  for (let i = 0; i < length; i++) view[i] = Math.sin(i);
  return ptr;
}

function benchProducts(kernels: Kernels): void {
  const sizes = [
    [512, 512, 512, ""],
    [1024, 1024, 1024, ""],
    [512, 512, 512, "A transposed"],
    [512, 512, 512, "B transposed"],
    [128, 512, 784, ""],
    [128, 10, 512, ""],
    [784, 512, 128, "A transposed"],
    [64, 64, 32, ""],
    [4, 512, 512, ""],
    [1, 512, 512, ""],
    [1, 512, 512, "B transposed"],
    [512, 1, 512, ""],
  ] as const;
  for (const [m, n, k, how] of sizes) {
    const [a, b, c] = [floats(kernels, m * k), floats(kernels, k * n), floats(kernels, m * n)] as [
      number,
      number,
      number,
    ];
    const left =
      how === "A transposed" ? { ptr: a, rowStride: 1, colStride: m } : { ptr: a, rowStride: k, colStride: 1 };
    const right =
      how === "B transposed" ? { ptr: b, rowStride: 1, colStride: k } : { ptr: b, rowStride: n, colStride: 1 };
    report(`gemm ${m}x${n}x${k} ${how}`, "GFLOP/s", 2 * m * n * k, () => kernels.gemm(m, n, k, left, right, c, n));
    for (const ptr of [a, b, c]) kernels.heap.free(ptr);
  }
}

function benchConvolutions(kernels: Kernels): void {
  const cases = [
    [8, 32, 64, 64, 3, 1],
    [32, 28, 1, 32, 3, 1],
    [32, 13, 32, 64, 3, 1],
    [8, 32, 3, 32, 3, 1],
    [8, 32, 32, 64, 3, 2],
    [8, 56, 64, 64, 1, 1],
    [8, 56, 64, 64, 3, 1, 64],
  ] as const;
  for (const [batch, size, channels, filters, kernel, stride, groups = 1] of cases) {
    const out = Math.ceil(size / stride);
    const pad = (kernel - 1) >> 1;
    const shape: WindowShape = {
      ...{ batch, height: size, width: size, channels, kernelHeight: kernel, kernelWidth: kernel, filters, groups },
      ...{ outHeight: out, outWidth: out, strideY: stride, strideX: stride, padTop: pad, padLeft: pad },
    };
    const x = floats(kernels, batch * size * size * channels);
    const dx = floats(kernels, batch * size * size * channels);
    const y = floats(kernels, batch * out * out * filters);
    const w = floats(kernels, (kernel * kernel * channels * filters) / groups);
    const dw = floats(kernels, (kernel * kernel * channels * filters) / groups);
    const work = (2 * batch * out * out * kernel * kernel * channels * filters) / groups;
    const name = `conv ${batch}x${size}x${size}x${channels} ${kernel}x${kernel}x${filters} s${stride}${groups > 1 ? " depthwise" : ""}`;
    report(name, "GFLOP/s", work, () => kernels.convForward(shape, x, w, y));
    report(`  kernel gradient`, "GFLOP/s", work, () => kernels.convKernelGradient(shape, x, y, dw));
    report(`  image gradient`, "GFLOP/s", work, () => kernels.convInputGradient(shape, y, w, dx));
    for (const ptr of [x, dx, y, w, dw]) kernels.heap.free(ptr);
  }
}

function benchMemory(kernels: Kernels): void {
  const n = 1 << 20;
  const [x, y, z] = [floats(kernels, n), floats(kernels, n), floats(kernels, n)] as [number, number, number];
  const chain = (
    name: string,
    bytes: number,
    length: number,
    operands: number[],
    build: (b: ChainBuilder) => void,
  ): void => {
    const b = new Builder();
    build(b);
    const built = b.build();
    const code = kernels.uploadChain(built);
    kernels.bindChain(code, built, operands, [z]);
    report(name, "GB/s", bytes * length, () => kernels.runChain(code, built, 0, length));
  };
  for (const length of [4096, n]) {
    chain(`x + y, ${length} elements`, 12, length, [x, y], (b) => {
      b.store(b.op("ADD", b.operand({ kind: "full" }), b.operand({ kind: "full" })));
    });
  }
  chain("relu(x + bias[64])", 8, n, [x, y], (b) => {
    const sum = b.op("ADD", b.operand({ kind: "full" }), b.operand({ kind: "periodic", period: 64 }));
    b.store(b.op("MAX", sum, b.immediate(0)));
  });
  for (const op of ["EXP", "LOG", "TANH", "SIGMOID", "ERF", "SIN", "POW"] as const satisfies readonly ChainOp[]) {
    chain(op.toLowerCase(), 8, n, op === "POW" ? [x, y] : [x], (b) => {
      const operands = Array.from({ length: op === "POW" ? 2 : 1 }, () => b.operand({ kind: "full" }));
      b.store(b.op(op, ...operands));
    });
  }
  report("sum of all", "GB/s", 4 * n, () => kernels.reduce("sum", x, z, 1, n, 1));
  report("sum of rows of 256", "GB/s", 4 * n, () => kernels.reduce("sum", x, z, n / 256, 256, 1));
  report("sum of columns, 64", "GB/s", 4 * n, () => kernels.reduce("sum", x, z, 1, n / 64, 64));
  report("max of rows of 256", "GB/s", 4 * n, () => kernels.reduce("max", x, z, n / 256, 256, 1));
  report("transpose 1024 x 1024", "GB/s", 8 * n, () =>
    kernels.copyStrided(4, [1024, 1024], x, [1, 1024], z, [1024, 1]),
  );
  const pooled: WindowShape = {
    ...{ batch: 16, height: 32, width: 32, channels: 64, kernelHeight: 2, kernelWidth: 2 },
    ...{ outHeight: 16, outWidth: 16, strideY: 2, strideX: 2 },
  };
  report("max pooling 2x2", "GB/s", 5 * n, () => kernels.pool("max", pooled, x, z));
  report("  its gradient", "GB/s", 9 * n, () => kernels.maxPoolGradient(pooled, x, y, z));
  report("threefry", "GB/s", 4 * n, () => kernels.threefry(1, 2, 0, n, z));
}
