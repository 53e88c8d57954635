import { sizeOf } from "../../../core/ndarray.js";
import type { Instruction } from "../../../core/program.js";
import type { DotAttributes } from "../../../primitives/index.js";
import { planDot } from "../kernels/dot.js";
import { absorbEpilogue, type Epilogue } from "./epilogue.js";
import type { Lowering } from "./lowering.js";
import { collapse, type Root, type View, wholeOf, transposeView } from "./view.js";

/** An operand of a stack of products, as strides over its batch axes, rows and columns. */
interface Side {
  readonly view: View;
  readonly batch: readonly number[];
  readonly row: number;
  readonly column: number;
}

function sideOf(lowering: Lowering, view: View, order: readonly number[], batch: number, rows: number): Side {
  const permuted = transposeView(view, order);
  const axes = [...order.keys()];
  const row = collapse(permuted, axes.slice(batch, batch + rows));
  const column = collapse(permuted, axes.slice(batch + rows));
  if (row && column && row.stride >= 0 && column.stride >= 0)
    return { view: permuted, batch: permuted.strides.slice(0, batch), row: row.stride, column: column.stride };
  return sideOf(lowering, lowering.contiguous(permuted), axes, batch, rows);
}

/** Matrix products by the compiled kernel; transposes and broadcasts of operands are strides, bias and relu ride along. */
export function lowerDot(lowering: Lowering, { inputs, outputs, attributes }: Instruction): boolean {
  const { shape, dtype } = lowering.spec(outputs[0]!);
  if (dtype !== "float32" || sizeOf(shape) === 0) return false;
  const [x, y] = [lowering.view(inputs[0]!), lowering.view(inputs[1]!)];
  const { contract, batch } = attributes as DotAttributes;
  const plan = planDot(x.shape, y.shape, attributes as DotAttributes);
  if (plan.k === 0) return false;
  const nb = batch[0].length;
  const left = sideOf(lowering, x, plan.x, nb, x.shape.length - nb - contract[0].length);
  const right = sideOf(lowering, y, plan.y, nb, y.shape.length - nb - contract[1].length);
  const epilogue = absorbEpilogue(lowering, outputs[0]!, lastWidth(shape, plan.n, plan.m));
  const root = lowering.root("float32", sizeOf(shape));
  lowering.define(epilogue.output, wholeOf(root, lowering.spec(epilogue.output).shape));
  const sizes = batch[0].map((i) => x.shape[i]!);
  pushGemm(lowering, { left, right, sizes, m: plan.m, n: plan.n, k: plan.k, root, epilogue });
  return true;
}

/** The bias of a product runs along its n columns: only where those are exactly the last axis can one be absorbed. */
const lastWidth = (shape: readonly number[], n: number, m: number): number =>
  shape.at(-1) === n && (n > 1 || m === 1) ? n : -1;

interface Product {
  readonly left: Side;
  readonly right: Side;
  readonly sizes: readonly number[];
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly root: Root;
  readonly epilogue: Epilogue;
}

function pushGemm(lowering: Lowering, { left, right, sizes, m, n, k, root, epilogue }: Product): void {
  const { wasm } = lowering;
  const { bias, relu } = epilogue;
  // The kernel walks over the last batch axis; the others are a loop here.
  const outer = sizes.slice(0, -1);
  const count = sizes.at(-1) ?? 1;
  const loops: { a: number; b: number; c: number }[] = [];
  const walk = (axis: number, a: number, b: number, c: number): void => {
    if (axis === outer.length) {
      loops.push({ a: 4 * a, b: 4 * b, c: 4 * c * count * m * n });
      return;
    }
    for (let i = 0; i < outer[axis]!; i++)
      walk(axis + 1, a + i * left.batch[axis]!, b + i * right.batch[axis]!, c * outer[axis]! + i);
  };
  walk(0, left.view.offset, right.view.offset, 0);
  const [aStep, bStep] = [left.batch.at(-1) ?? 0, right.batch.at(-1) ?? 0];
  lowering.step({
    name: "dot",
    reads: [left.view, right.view, ...(bias ? [bias] : [])],
    writes: [root],
    prepare: ({ of }) => {
      const a = { ptr: 0, rowStride: left.row, colStride: left.column };
      const b = { ptr: 0, rowStride: right.column, colStride: right.row };
      const options: { bias?: number; relu: boolean } = { relu };
      return () => {
        const [pa, pb, pc] = [of[left.view.root.id]!, of[right.view.root.id]!, of[root.id]!];
        if (bias) options.bias = of[bias.root.id]! + 4 * bias.offset;
        for (const at of loops) {
          a.ptr = pa + at.a;
          b.ptr = pb + at.b;
          if (count === 1) wasm.gemm(m, n, k, a, b, pc + at.c, n, options);
          else wasm.gemmBatched(count, m, n, k, a, aStep, b, bStep, pc + at.c, n, m * n, options);
        }
      };
    },
  });
}
