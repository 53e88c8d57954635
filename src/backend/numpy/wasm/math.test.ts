import { describe, expect, it } from "vitest";
import { ChainBuilder, type ChainOp } from "./chain.js";
import { testKernels } from "./testing.js";

const N = 1 << 16;

/** erf in double precision: Taylor series near 0, continued fraction of erfc far out. */
function erf(x: number): number {
  const a = Math.abs(x);
  if (a > 6) return Math.sign(x);
  if (a < 3) {
    let term = x;
    let sum = x;
    for (let n = 1; Math.abs(term) > 1e-19 * Math.abs(sum); n++) {
      term *= (-x * x) / n;
      sum += term / (2 * n + 1);
    }
    return (sum * 2) / Math.sqrt(Math.PI);
  }
  let tail = 0;
  for (let k = 60; k > 0; k--) tail = k / 2 / (a + tail);
  return Math.sign(x) * (1 - Math.exp(-a * a) / Math.sqrt(Math.PI) / (a + tail));
}
const functions: Partial<Record<ChainOp, (x: number) => number>> = {
  EXP: Math.exp,
  EXPM1: Math.expm1,
  LOG: Math.log,
  LOG1P: Math.log1p,
  SIN: Math.sin,
  COS: Math.cos,
  TAN: Math.tan,
  TANH: Math.tanh,
  SIGMOID: (x) => (x < 0 ? Math.exp(x) / (1 + Math.exp(x)) : 1 / (1 + Math.exp(-x))),
  ERF: erf,
  RSQRT: (x) => 1 / Math.sqrt(x),
};

/** Distance of a float32 result from the exact value, in units in the last place. */
function ulps(got: number, exact: number): number {
  const rounded = Math.fround(exact);
  if (Object.is(rounded, got)) return 0;
  if (Number.isNaN(rounded) || Number.isNaN(got)) return Infinity;
  if (rounded === 0 && got === 0) return exact === 0 ? Infinity : 0;
  const reach = (x: number): number => (Math.abs(x) === Infinity ? Math.sign(x) * 2 ** 128 : x);
  const unit = 2 ** (Math.max(-126, Math.floor(Math.log2(Math.min(Math.abs(exact), 3.4e38)))) - 23);
  return Math.abs(reach(got) - reach(exact)) / unit;
}

let state = 12345;
const random = (): number => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return state >>> 0;
};
const edges = [
  ...[0, -0, Infinity, -Infinity, NaN, 1, -1, 1e-45, -1e-45, 2 ** -126, 88.72283, 88.73, -87.5, -103.97, -104, 3.4e38],
  ...[
    -3.4e38,
    16367173 * 2 ** 72,
    8388607,
    8388608,
    8388609,
    1e22,
    Math.PI,
    Math.fround(Math.PI / 2),
    0.625,
    0.93,
    3.92,
  ],
];

describe.each([false, true])("elementary functions, fma %s", (fma) => {
  const kernels = testKernels(fma);
  const { heap } = kernels;
  const [px, py, pz] = [heap.malloc(N * 4), heap.malloc(N * 4), heap.malloc(N * 4)];
  const x = heap.view(px, "float32", N);
  const y = heap.view(py, "float32", N);
  const z = heap.view(pz, "float32", N);
  const anyBits = (target: Float32Array): void => {
    const bits = new Int32Array(target.buffer, target.byteOffset, N);
    for (let i = 0; i < N; i++) bits[i] = random();
  };
  const prepare = (op: ChainOp, operands: number): (() => void) => {
    const b = new ChainBuilder();
    b.store(b.op(op, ...Array.from({ length: operands }, () => b.operand({ kind: "full" }))));
    const chain = b.build();
    const code = kernels.uploadChain(chain);
    kernels.bindChain(code, chain, operands === 1 ? [px] : [px, pz], [py]);
    return () => kernels.runChain(code, chain, 0, N);
  };

  it.each(Object.entries(functions))("%s is within 2 ulp everywhere", (op, f) => {
    const run = prepare(op as ChainOp, 1);
    for (const spread of [0, 2, 20, 220]) {
      if (spread === 0) anyBits(x);
      else for (let i = 0; i < N; i++) x[i] = (random() / 2 ** 32 - 0.5) * spread;
      x.set(edges);
      run();
      for (let i = 0; i < N; i++) {
        const error = ulps(y[i]!, f(x[i]!));
        if (!(error <= 2)) expect.fail(`${op}(${x[i]}) = ${y[i]}, expected ${f(x[i]!)}: ${error} ulp`);
      }
    }
  });

  it("POW is within 1 ulp, and right at the edges", () => {
    const run = prepare("POW", 2);
    const special = [
      0,
      -0,
      1,
      -1,
      2,
      -2,
      0.5,
      -0.5,
      3,
      -3,
      Infinity,
      -Infinity,
      NaN,
      1e-45,
      3e38,
      16777216,
      16777215,
      -1e-40,
      2.5,
    ];
    for (let pass = 0; pass < 3; pass++) {
      if (pass === 0) anyBits(x);
      for (let i = 0; i < N; i++) {
        if (pass === 1) x[i] = (random() / 2 ** 32 - 0.5) * 10;
        z[i] = pass === 1 ? Math.round((random() / 2 ** 32 - 0.5) * 40) : (random() / 2 ** 32 - 0.5) * 4;
        if (pass === 2) {
          x[i] = special[i % special.length]!;
          z[i] = special[Math.floor(i / special.length) % special.length]!;
        }
      }
      run();
      for (let i = 0; i < N; i++) {
        // C's pow, unlike JavaScript's, gives 1 for a base of 1 and for (-1)^inf.
        const unit = x[i] === 1 || (x[i] === -1 && Math.abs(z[i]!) === Infinity);
        const exact = unit ? 1 : x[i]! ** z[i]!;
        const error = ulps(y[i]!, exact);
        if (!(error <= 1)) expect.fail(`${x[i]} ** ${z[i]} = ${y[i]}, expected ${exact}: ${error} ulp`);
      }
    }
  });
});
