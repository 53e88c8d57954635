import type { DType, TensorSpec } from "../../../core/dtype.js";
import { bfloat16ToNumber, float16ToNumber } from "../../../core/float16.js";
import { NDArray, type TypedArray } from "../../../core/ndarray.js";
import type { Kernels } from "../../backend.js";
import { type BinaryLoop, type BinaryLoops, mapBinary } from "../elementwise.js";
import type { Lanes } from "../lanes.js";
import * as complexLoops from "../loops/complex.js";
import * as floats from "../loops/float-binary.js";
import * as ints from "../loops/int-binary.js";
import * as complexMath from "../math/complex.js";
import { nextAfterBits } from "../math/next-after.js";

type BinaryKernel = (inputs: readonly NDArray[], attributes: object, outputs: readonly TensorSpec[]) => NDArray[];

const kernel =
  (op: string, loops: BinaryLoops): BinaryKernel =>
  ([x, y], _, [spec]) => [mapBinary(op, loops, x!, y!, spec!)];

/** An integer loop that does not care about signs, as a loop over unsigned numbers. */
const unsigned =
  (loop: BinaryLoop<Lanes["int"]>): BinaryLoop<Lanes["uint"]> =>
  (n, x, xi, y, yi, out, o) =>
    loop(n, asInt(x), xi, asInt(y), yi, asInt(out), o);
const asInt = (x: Uint32Array): Int32Array => new Int32Array(x.buffer, x.byteOffset, x.length);

const signless = (int: BinaryLoop<Lanes["int"]>): BinaryLoops => ({ int, uint: unsigned(int) });

const signed: Partial<Record<DType, DType>> = { uint8: "int8", uint16: "int16", uint32: "int32", bool: "int8" };
const unsignedTypes: Partial<Record<DType, DType>> = { int8: "uint8", int16: "uint16", int32: "uint32", bool: "uint8" };
const views: Partial<Record<DType, new (buffer: ArrayBufferLike, offset: number, length: number) => TypedArray>> = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
};
/** The same bits as an integer type of the other signedness. */
function reinterpreted(x: NDArray, dtype: DType): NDArray {
  if (x.dtype === dtype) return x;
  const { buffer, byteOffset, length } = x.data;
  return new NDArray(new views[dtype]!(buffer, byteOffset, length), x.shape, dtype, x.strides, x.offset);
}

/** A right shift, done in the integer type whose signedness gives the wanted filling. */
const rightShift =
  (op: string, loops: BinaryLoops, types: Partial<Record<DType, DType>>): BinaryKernel =>
  ([x, y], _, [spec]) => {
    const dtype = types[x!.dtype] ?? x!.dtype;
    const out = mapBinary(op, loops, reinterpreted(x!, dtype), reinterpreted(y!, dtype), { shape: spec!.shape, dtype });
    return [reinterpreted(out, spec!.dtype)];
  };

/** The neighbours of 16-bit floats are those of their own format, so this works on bit patterns. */
function nextAfter([x, y]: readonly NDArray[], spec: TensorSpec): NDArray {
  const { dtype } = x!;
  if (dtype !== "float16" && dtype !== "bfloat16") {
    return mapBinary("nextAfter", { float: floats.nextAfter }, x!, y!, spec);
  }
  const toNumber = dtype === "float16" ? float16ToNumber : bfloat16ToNumber;
  const loop: BinaryLoop<Int32Array> = (n, a, ai, b, bi, out, o) => {
    for (let i = 0; i < n; i++) out[o + i] = nextAfterBits(a[ai + i]!, b[bi + i]!, toNumber, 0x8000);
  };
  const bits = (v: NDArray): NDArray => new NDArray(v.data, v.shape, "uint16", v.strides, v.offset);
  const out = mapBinary("nextAfter", { int: loop }, bits(x!), bits(y!), { shape: spec.shape, dtype: "uint16" });
  return new NDArray(out.data, out.shape, dtype, out.strides, out.offset);
}

export const binaryKernels = {
  add: kernel("add", { float: floats.add, ...signless(ints.add), complex: complexLoops.addComplex }),
  subtract: kernel("subtract", {
    float: floats.subtract,
    ...signless(ints.subtract),
    complex: complexLoops.subtractComplex,
  }),
  multiply: kernel("multiply", {
    float: floats.multiply,
    ...signless(ints.multiply),
    complex: complexLoops.complexBinary(complexMath.multiply),
  }),
  divide: kernel("divide", {
    float: floats.divide,
    int: ints.divide,
    uint: ints.divideUnsigned,
    complex: complexLoops.complexBinary(complexMath.divide),
  }),
  remainder: kernel("remainder", { float: floats.remainder, int: ints.remainder, uint: ints.remainderUnsigned }),
  power: kernel("power", {
    float: floats.power,
    int: ints.power,
    uint: ints.powerUnsigned,
    complex: complexLoops.complexBinary(complexMath.power),
  }),
  maximum: kernel("maximum", {
    float: floats.maximum,
    int: ints.maximum,
    uint: ints.maximumUnsigned,
    complex: complexLoops.maximumComplex,
  }),
  minimum: kernel("minimum", {
    float: floats.minimum,
    int: ints.minimum,
    uint: ints.minimumUnsigned,
    complex: complexLoops.minimumComplex,
  }),
  atan2: kernel("atan2", { float: floats.atan2 }),
  nextAfter: (inputs, _, [spec]) => [nextAfter(inputs, spec!)],
  bitwiseAnd: kernel("bitwiseAnd", signless(ints.bitwiseAnd)),
  bitwiseOr: kernel("bitwiseOr", signless(ints.bitwiseOr)),
  bitwiseXor: kernel("bitwiseXor", signless(ints.bitwiseXor)),
  shiftLeft: kernel("shiftLeft", signless(ints.shiftLeft)),
  shiftRightLogical: rightShift("shiftRightLogical", signless(ints.shiftRightLogical), unsignedTypes),
  shiftRightArithmetic: rightShift("shiftRightArithmetic", { int: ints.shiftRightArithmetic }, signed),
  complex: kernel("complex", { float: complexLoops.joinParts }),
} satisfies Partial<Kernels<NDArray>>;
