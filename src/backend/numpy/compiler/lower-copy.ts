import { dtypeBytes } from "../../../core/dtype.js";
import { NDArray, sizeOf } from "../../../core/ndarray.js";
import type { ConcatenateAttributes, PadAttributes } from "../../../primitives/index.js";
import { isSplat } from "./graph.js";
import type { Lower } from "./lower.js";
import { maxAxes, type Lowering } from "./lowering.js";
import { merged, type Root, sliceView, type View, wholeOf } from "./view.js";

/** A copy of a view into a part of a root. */
interface Piece {
  readonly from: View;
  /** The part, as a view of the same shape. */
  readonly to: View;
}

function copyPieces(lowering: Lowering, name: string, root: Root, pieces: readonly Piece[], fill: number | null): void {
  const { wasm } = lowering;
  const bytes = dtypeBytes(root.dtype) as 1 | 2 | 4 | 8;
  const filling = fill === null ? null : NDArray.from([fill], root.dtype).data;
  lowering.step({
    name,
    reads: pieces.map(({ from }) => from),
    writes: [root],
    prepare: ({ of }) => {
      return () => {
        if (filling) wasm.fill(of[root.id]!, bytes * root.size, filling);
        for (const { from, to } of pieces) {
          const source = of[from.root.id]! + bytes * from.offset;
          wasm.copyStrided(bytes, from.shape, source, from.strides, of[root.id]! + bytes * to.offset, to.strides);
        }
      };
    },
  });
}
/** A view that the copying kernel can read: few enough axes. */
const copyable = (lowering: Lowering, view: View): View =>
  merged(view).sizes.length >= maxAxes || view.shape.length > maxAxes ? lowering.contiguous(view) : view;

const lowerConcatenate: Lower = (lowering, { inputs, outputs, attributes }) => {
  const { axis } = attributes as ConcatenateAttributes;
  const { shape } = lowering.spec(outputs[0]!);
  if (shape.length > maxAxes) return false;
  const [root] = lowering.results(outputs);
  const whole = wholeOf(root!, shape);
  let at = 0;
  const pieces = inputs.map((id) => {
    const from = copyable(lowering, lowering.view(id));
    const start = shape.map((_, i) => (i === axis ? at : 0));
    at += from.shape[axis]!;
    return {
      from,
      to: sliceView(
        whole,
        start,
        shape.map(() => 1),
        from.shape,
      ),
    };
  });
  copyPieces(lowering, "concatenate", root!, pieces, null);
  lowering.define(outputs[0]!, whole);
  return true;
};

const lowerPad: Lower = (lowering, { inputs, outputs, attributes }) => {
  const { low, high, interior, value } = attributes as PadAttributes;
  const { shape } = lowering.spec(outputs[0]!);
  const operand = lowering.operand(inputs[0]!);
  const cuts = [...low, ...high].some((n) => n < 0);
  if (shape.length > maxAxes || (cuts && interior.some((n) => n > 0))) return false;
  const ones = shape.map(() => 1);
  let from = isSplat(operand) ? lowering.inMemory(operand) : operand;
  if (cuts) {
    const start = low.map((n) => Math.max(0, -n));
    const sizes = from.shape.map((d, i) => Math.max(0, d - start[i]! - Math.max(0, -high[i]!)));
    from = sliceView(from, start, ones, sizes);
  }
  const [root] = lowering.results(outputs);
  const whole = wholeOf(root!, shape);
  const start = low.map((n) => Math.max(0, n));
  const to = sliceView(
    whole,
    start,
    interior.map((n) => n + 1),
    from.shape,
  );
  const source = copyable(lowering, from);
  copyPieces(lowering, "pad", root!, sizeOf(from.shape) === 0 ? [] : [{ from: source, to }], value);
  lowering.define(outputs[0]!, whole);
  return true;
};

/** Instructions that move elements to a part of their result. */
export const lowerCopy: Readonly<Record<string, Lower>> = { concatenate: lowerConcatenate, pad: lowerPad };
