import { describe, expect, it } from "vitest";
import { type ChainOp, type ChainRef, ChainBuilder, chainAccess } from "./chain.js";
import { noise, put, testKernels } from "./testing.js";

const kernels = testKernels(false);
const { heap } = kernels;

/** Runs a chain over n elements and returns its first output's words. */
function run(
  n: number,
  operands: readonly number[],
  describeChain: (b: ChainBuilder) => void,
  start = 0,
): Float32Array {
  const builder = new ChainBuilder();
  describeChain(builder);
  const chain = builder.build();
  const code = kernels.uploadChain(chain);
  const guard = 8;
  const out = put(kernels, new Float32Array(n + guard).fill(-77));
  kernels.bindChain(code, chain, operands, [out]);
  kernels.runChain(code, chain, start, n);
  const all = heap.view(out, "float32", n + guard).slice();
  expect(all.subarray(n).every((x) => x === -77)).toBe(true);
  heap.free(code);
  heap.free(out);
  return all.subarray(0, n);
}
const words = (x: Float32Array): Int32Array => new Int32Array(x.buffer, x.byteOffset, x.length);

describe("chain access", () => {
  it.each([1, 5, 16, 511, 512, 513, 1300])("reads full, scalar and immediate operands over %i elements", (n) => {
    const x = noise(n, 2);
    const pointers = [put(kernels, x), put(kernels, [3])];
    const got = run(n, pointers, (b) => {
      const sum = b.op("ADD", b.operand({ kind: "full" }), b.operand({ kind: "scalar" }));
      b.store(b.op("MUL", sum, b.immediate(0.5)));
    });
    expect(got).toEqual(x.map((v) => Math.fround(Math.fround(v + 3) * 0.5)));
  });

  it.each([
    [[40, 10], [0, 1], 10],
    [[3, 700], [0, 1], 700],
    [[7, 33, 5], [33, 1, 0], 7 * 33],
    [[9, 4, 130], [4, 1, 0], 36],
    [[30, 2, 17], [17, 0, 1], 510],
    [[23, 31], [1, 23], 23 * 31],
    [[4, 1, 3, 20], [60, 0, 20, 1], 240],
    [[3, 5, 2, 7, 2, 3], [0, 1, 5, 0, 10, 20], 60],
    [[600, 3], [1, 0], 600],
  ] as const)("reads shape %j with strides %j", (shape, strides, size) => {
    const x = noise(size, 4);
    const n = (shape as readonly number[]).reduce((a, b) => a * b, 1);
    const expected = Float32Array.from({ length: n }, (_, i) => {
      let at = 0;
      let rest = i;
      for (let d = shape.length - 1; d >= 0; d--) {
        at += (rest % shape[d]!) * strides[d]!;
        rest = Math.floor(rest / shape[d]!);
      }
      return x[at]!;
    });
    const ptr = put(kernels, x);
    const chain = (b: ChainBuilder): void =>
      void b.store(b.op("NEG", b.op("NEG", b.operand(chainAccess(shape, strides)))));
    expect(run(n, [ptr], chain)).toEqual(expected);
    // A range that starts in the middle, as a thread would run it.
    const start = Math.floor(n / 3);
    expect(run(n, [ptr], chain, start).subarray(start)).toEqual(expected.subarray(start));
  });

  it("loads and stores narrow types", () => {
    const n = 700;
    const bytes = Uint8Array.from({ length: n }, (_, i) => (i * 37) % 256);
    const source = put(kernels, bytes, "uint8");
    const storages = ["uint8", "int8", "bool"] as const;
    const out = storages.map(() => heap.malloc(n + 64));
    for (const ptr of out) heap.view(ptr, "uint8", n + 64).fill(99);
    const b = new ChainBuilder();
    for (const storage of storages) {
      const value = b.operand({ kind: "full" }, storage);
      b.store(storage === "bool" ? b.op("NOT", value) : b.op("F2I", b.op("NEG", b.op("I2F", value))), storage);
    }
    const chain = b.build();
    const code = kernels.uploadChain(chain);
    kernels.bindChain(code, chain, [source, source, source], out);
    kernels.runChain(code, chain, 0, n);
    const views = out.map((ptr) => heap.view(ptr, "uint8", n + 64));
    for (let i = 0; i < n; i++) {
      expect(views[0]![i]).toBe((256 - bytes[i]!) % 256);
      expect(views[1]![i]).toBe((256 - bytes[i]!) % 256);
      expect(views[2]![i]).toBe(bytes[i] === 0 ? 1 : 0);
    }
    expect(views.every((view) => view.subarray(n).every((x) => x === 99))).toBe(true);
  });

  it("writes several outputs, one over its own input", () => {
    const n = 1000;
    const x = noise(n, 8);
    const px = put(kernels, x);
    const out = put(kernels, new Float32Array(n));
    const b = new ChainBuilder();
    const v = b.operand({ kind: "full" });
    b.store(b.op("ADD", v, b.immediate(1)));
    b.store(b.op("MUL", v, b.immediate(2)));
    const chain = b.build();
    const code = kernels.uploadChain(chain);
    kernels.bindChain(code, chain, [px], [px, out]);
    kernels.runChain(code, chain, 0, n);
    expect(heap.view(px, "float32", n)).toEqual(x.map((y) => y + 1));
    expect(heap.view(out, "float32", n)).toEqual(x.map((y) => y * 2));
  });

  it("gives registers back: a long chain needs few", () => {
    const b = new ChainBuilder();
    let v: ChainRef = b.operand({ kind: "full" });
    for (let i = 0; i < 100; i++) v = b.op("ADD", v, b.immediate(1));
    b.store(v);
    expect(b.build().words[3]).toBe(1);
  });
});

describe("chain instructions", () => {
  const x = Float32Array.of(0, -0, 1, -1, 2.5, -2.5, 3.5, 1e30, -1e30, Infinity, -Infinity, NaN, 1e-40, 0.4999, 7, -8);
  const y = Float32Array.of(0, 0, -1, 1, 2, NaN, 3.5, 1e30, 2, Infinity, 1, 5, 2, -0.5, -7, 3);
  const bool = (value: boolean): number => (value ? 1 : 0);
  const binary: Partial<Record<ChainOp, (a: number, b: number) => number>> = {
    ADD: (a, b) => a + b,
    SUB: (a, b) => a - b,
    MUL: (a, b) => a * b,
    DIV: (a, b) => a / b,
    MIN: (a, b) => (Number.isNaN(a + b) ? NaN : Math.min(a, b)),
    MAX: (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? NaN : Math.max(a, b)),
    EQ: (a, b) => bool(a === b),
    NE: (a, b) => bool(a !== b),
    LT: (a, b) => bool(a < b),
    LE: (a, b) => bool(a <= b),
  };
  it.each(Object.entries(binary))("%s", (op, f) => {
    const got = run(16, [put(kernels, x), put(kernels, y)], (b) => {
      const r = b.op(op as ChainOp, b.operand({ kind: "full" }), b.operand({ kind: "full" }));
      b.store(["EQ", "NE", "LT", "LE"].includes(op) ? b.op("AND", r, b.immediate(1)) : r);
    });
    got.forEach((value, i) => {
      const expected = Math.fround(f(x[i]!, y[i]!));
      if (expected === 0) expect(value === 0).toBe(true);
      else expect(value).toBe(expected);
    });
  });

  const unary: Partial<Record<ChainOp, (a: number) => number>> = {
    COPY: (a) => a,
    NEG: (a) => -a,
    ABS: Math.abs,
    SIGN: Math.sign,
    FLOOR: Math.floor,
    CEIL: Math.ceil,
    TRUNC: Math.trunc,
    ROUND: (a) => (Math.abs(a % 1) === 0.5 ? 2 * Math.round(a / 2) : a < 0 ? -Math.round(-a) : Math.round(a)),
    SQRT: Math.sqrt,
    RECIPROCAL: (a) => 1 / a,
    SQUARE: (a) => a * a,
  };
  it.each(Object.entries(unary))("%s", (op, f) => {
    const got = run(16, [put(kernels, x)], (b) => void b.store(b.op(op as ChainOp, b.operand({ kind: "full" }))));
    expect(got).toEqual(x.map(f));
  });

  const a = Int32Array.of(0, 1, -1, 7, -8, 2147483647, -2147483648, 123456789, 5, -5, 31, 32, 33, 1000, -1000, 3);
  const c = Int32Array.of(1, 2, 3, -4, 31, 1, 1, 1000, 0, 32, -1, 5, 5, 7, 2, 3);
  const integer: Partial<Record<ChainOp, (p: number, q: number) => number>> = {
    IADD: (p, q) => p + q,
    ISUB: (p, q) => p - q,
    IMUL: Math.imul,
    IMIN: Math.min,
    IMAX: Math.max,
    UMIN: (p, q) => Math.min(p >>> 0, q >>> 0),
    UMAX: (p, q) => Math.max(p >>> 0, q >>> 0),
    IEQ: (p, q) => (p === q ? -1 : 0),
    INE: (p, q) => (p === q ? 0 : -1),
    ILT: (p, q) => (p < q ? -1 : 0),
    ILE: (p, q) => (p <= q ? -1 : 0),
    ULT: (p, q) => (p >>> 0 < q >>> 0 ? -1 : 0),
    ULE: (p, q) => (p >>> 0 <= q >>> 0 ? -1 : 0),
    AND: (p, q) => p & q,
    OR: (p, q) => p | q,
    XOR: (p, q) => p ^ q,
    ANDNOT: (p, q) => p & ~q,
    SHL: (p, q) => (q >>> 0 < 32 ? p << q : 0),
    SHR: (p, q) => (q >>> 0 < 32 ? p >> q : p >> 31),
    USHR: (p, q) => (q >>> 0 < 32 ? p >>> q : 0),
    INEG: (p) => -p,
    IABS: Math.abs,
    NOT: (p) => ~p,
    I2F: (p) => new Int32Array(Float32Array.of(p).buffer)[0]!,
    U2F: (p) => new Int32Array(Float32Array.of(p >>> 0).buffer)[0]!,
  };
  it.each(Object.entries(integer))("%s", (op, f) => {
    const got = run(16, [put(kernels, a, "int32"), put(kernels, c, "int32")], (b) => {
      const operands = [b.operand({ kind: "full" }), b.operand({ kind: "full" })];
      b.store(b.op(op as ChainOp, ...operands.slice(0, f.length)));
    });
    expect(words(got)).toEqual(a.map((p, i) => f(p, c[i]!)));
  });

  it("shifts by a constant", () => {
    const shift = (op: "SHLI" | "SHRI" | "USHRI"): Int32Array =>
      words(run(16, [put(kernels, a, "int32")], (b) => void b.store(b.shift(op, b.operand({ kind: "full" }), 9))));
    expect(shift("SHLI")).toEqual(a.map((p) => p << 9));
    expect(shift("SHRI")).toEqual(a.map((p) => p >> 9));
    expect(shift("USHRI")).toEqual(a.map((p) => p >>> 9));
  });

  it("selects by mask, and multiplies and adds with two roundings", () => {
    const n = 600;
    const [p, q, r] = [noise(n, 1), noise(n, 2), noise(n, 3)];
    const pointers = [p, q, r].map((v) => put(kernels, v));
    const operands = (b: ChainBuilder): [ChainRef, ChainRef, ChainRef] => [
      b.operand({ kind: "full" }),
      b.operand({ kind: "full" }),
      b.operand({ kind: "full" }),
    ];
    const selected = run(n, pointers, (b) => {
      const [u, v, w] = operands(b);
      b.store(b.op("SELECT", b.op("LT", u, v), w, b.immediate(4)));
    });
    expect(selected).toEqual(p.map((v, i) => (v < q[i]! ? r[i]! : 4)));
    const fused = run(n, pointers, (b) => void b.store(b.op("MULADD", ...operands(b))));
    expect(fused).toEqual(p.map((v, i) => Math.fround(v * q[i]!) + r[i]!));
  });

  it("converts floats to integers with saturation, NaN to 0", () => {
    const v = Float32Array.of(1.9, -1.9, 3e9, -3e9, NaN, Infinity, 5e9, 0.5);
    const cast = (op: ChainOp): Int32Array =>
      words(run(8, [put(kernels, v)], (b) => void b.store(b.op(op, b.operand({ kind: "full" })))));
    expect([...cast("F2I")]).toEqual([1, -1, 2147483647, -2147483648, 0, 2147483647, 2147483647, 0]);
    expect([...cast("F2U")].map((w) => w >>> 0)).toEqual([1, 0, 3e9, 0, 0, 4294967295, 4294967295, 0]);
  });
});
