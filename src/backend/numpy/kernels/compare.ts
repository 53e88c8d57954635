import type { TensorSpec } from "../../../core/dtype.js";
import type { NDArray } from "../../../core/ndarray.js";
import type { Kernels } from "../../backend.js";
import { type BinaryLoops, mapBinary } from "../elementwise.js";
import type { Lane } from "../lanes.js";
import * as loops from "../loops/comparison.js";
import { selectElements } from "../select.js";

type ComparisonKernel = (inputs: readonly NDArray[], attributes: object, outputs: readonly TensorSpec[]) => NDArray[];
interface Comparisons {
  float?: loops.Comparison<Float32Array>;
  int?: loops.Comparison<Int32Array>;
  uint?: loops.Comparison<Uint32Array>;
  complex?: loops.Comparison<Float32Array>;
}

/** The elementwise machinery writes predicates straight into bytes; its loops differ from others in that alone. */
const asLoops = (table: Comparisons): BinaryLoops => table as unknown as BinaryLoops;

function comparison(op: string, table: Comparisons): ComparisonKernel {
  const prepared = asLoops(table);
  return ([x, y], _, [spec]) => [mapBinary(op, prepared, x!, y!, spec!, true)];
}
/** The comparison with its operands exchanged. */
function swapped(op: string, table: Comparisons): ComparisonKernel {
  const prepared = asLoops(table);
  return ([x, y], _, [spec]) => [mapBinary(op, prepared, y!, x!, spec!, true)];
}
const unsigned =
  (loop: loops.Comparison<Int32Array>): loops.Comparison<Uint32Array> =>
  (n, x, xi, y, yi, out, o) =>
    loop(n, asInt(x), xi, asInt(y), yi, out, o);
const asInt = (x: Lane): Int32Array => new Int32Array(x.buffer, x.byteOffset, x.length);

const less: Comparisons = { float: loops.less, int: loops.lessInt, uint: loops.lessUint };
const lessEqual: Comparisons = { float: loops.lessEqual, int: loops.lessEqualInt, uint: loops.lessEqualUint };

export const compareKernels = {
  equal: comparison("equal", {
    float: loops.equal,
    int: loops.equalInt,
    uint: unsigned(loops.equalInt),
    complex: loops.equalComplex,
  }),
  notEqual: comparison("notEqual", {
    float: loops.notEqual,
    int: loops.notEqualInt,
    uint: unsigned(loops.notEqualInt),
    complex: loops.notEqualComplex,
  }),
  less: comparison("less", less),
  lessEqual: comparison("lessEqual", lessEqual),
  greater: swapped("greater", less),
  greaterEqual: swapped("greaterEqual", lessEqual),
  logicalAnd: comparison("logicalAnd", { int: loops.and }),
  logicalOr: comparison("logicalOr", { int: loops.or }),
  logicalXor: comparison("logicalXor", { int: loops.xor }),
  select: ([condition, x, y], _, [spec]) => [selectElements(condition!, x!, y!, spec!)],
} satisfies Partial<Kernels<NDArray>>;
