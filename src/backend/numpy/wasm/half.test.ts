import { expect, it } from "vitest";
import { ChainBuilder, type ChainOp } from "./chain.js";
import { put, testKernels } from "./testing.js";

const kernels = testKernels(false);

function convert(op: ChainOp, source: Float32Array | Int32Array): Int32Array {
  const n = source.length;
  const b = new ChainBuilder();
  b.store(b.op(op, b.operand({ kind: "full" })));
  const chain = b.build();
  const code = kernels.uploadChain(chain);
  const pointers = [
    put(kernels, source, source instanceof Int32Array ? "int32" : "float32"),
    kernels.heap.malloc(n * 4),
  ];
  kernels.bindChain(code, chain, [pointers[0]!], [pointers[1]!]);
  kernels.runChain(code, chain, 0, n);
  return kernels.heap.view(pointers[1]!, "int32", n).slice();
}
const halfValue = (h: number): number => {
  const [sign, exponent, mantissa] = [h & 0x8000 ? -1 : 1, (h >> 10) & 31, h & 1023];
  if (exponent === 31) return mantissa ? NaN : sign * Infinity;
  return sign * (exponent === 0 ? mantissa * 2 ** -24 : (1024 + mantissa) * 2 ** (exponent - 25));
};

it("every float16 survives the way to float32 and back", () => {
  const bits = Int32Array.from({ length: 65536 }, (_, i) => i);
  const floats = new Float32Array(convert("H2F", bits).buffer);
  floats.forEach((x, i) => {
    if (!Object.is(x, halfValue(i))) throw new Error(`float16 ${i.toString(16)} became ${x}`);
  });
  convert("F2H", floats).forEach((h, i) => {
    const nan = Number.isNaN(halfValue(i));
    if (nan ? (h & 0x7c00) !== 0x7c00 || (h & 1023) === 0 : h !== i)
      throw new Error(`${i.toString(16)} -> ${h.toString(16)}`);
  });
});

it("float32 rounds to the nearest float16, ties to even", () => {
  const sources: number[] = [];
  const expected: number[] = [];
  for (let h = 0; h < 0x7bff; h += 13) {
    const [low, up] = [halfValue(h), halfValue(h + 1)];
    sources.push((low + up) / 2, low + (up - low) * 0.49, low + (up - low) * 0.51, -low);
    expected.push(h & 1 ? h + 1 : h, h, h + 1, h | 0x8000);
  }
  sources.push(65519, 65520, 1e9, -Infinity, 2 ** -26);
  expected.push(0x7bff, 0x7c00, 0x7c00, 0xfc00, 0);
  expect([...convert("F2H", Float32Array.from(sources))]).toEqual(expected);
});

it("bfloat16 rounds to the nearest, ties to even", () => {
  const bits = Int32Array.of(0x3f808000, 0x3f818000, 0x3f808001, 0x3f807fff, 0x7f7fffff, 0x7f800000, 0x80000000 | 0);
  expect([...convert("F2BF", new Float32Array(bits.buffer))]).toEqual([
    0x3f80, 0x3f82, 0x3f81, 0x3f80, 0x7f80, 0x7f80, 0x8000,
  ]);
  expect(convert("F2BF", Float32Array.of(NaN))[0]! & 0x7fff).toBeGreaterThan(0x7f80);
  expect(new Float32Array(convert("BF2F", Int32Array.of(0x3f82, 0xc000)).buffer)).toEqual(
    Float32Array.of(1.015625, -2),
  );
});
