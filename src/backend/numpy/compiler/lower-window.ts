import { sizeOf } from "../../../core/ndarray.js";
import type {
  ConvolutionAttributes,
  ConvolutionInputAttributes,
  ConvolutionKernelAttributes,
  PoolAttributes,
  SumPoolGradientAttributes,
} from "../../../primitives/index.js";
import { wasmWindow } from "../kernels/wasm-window.js";
import type { WindowShape } from "../wasm/window-shape.js";
import { absorbEpilogue } from "./epilogue.js";
import type { Lower } from "./lower.js";
import type { Lowering } from "./lowering.js";
import { type View, wholeOf } from "./view.js";

/** Float32 operands of an instruction, made contiguous; null when it is not one for the compiled kernels. */
function operandsOf(lowering: Lowering, inputs: readonly number[], output: number): View[] | null {
  const { shape, dtype } = lowering.spec(output);
  if (dtype !== "float32" || sizeOf(shape) === 0) return null;
  if (inputs.some((id) => sizeOf(lowering.spec(id).shape) === 0)) return null;
  return inputs.map((id) => lowering.contiguous(lowering.view(id)));
}
const addressOf = (of: Float64Array, { root, offset }: View): number => of[root.id]! + 4 * offset;

const lowerConvolution: Lower = (lowering, { inputs, outputs, attributes }) => {
  const [xs, ks, ys] = [...inputs, outputs[0]!].map((id) => lowering.spec(id).shape);
  const window = wasmWindow(xs!, ks!.slice(0, -2), ys!, attributes as ConvolutionAttributes);
  const operands = window && operandsOf(lowering, inputs, outputs[0]!);
  if (!operands) return false;
  const [x, kernel] = operands;
  const { bias, relu, output } = absorbEpilogue(lowering, outputs[0]!, ys!.at(-1)!);
  const root = lowering.root("float32", sizeOf(ys!));
  lowering.define(output, wholeOf(root, lowering.spec(output).shape));
  const { wasm } = lowering;
  lowering.step({
    name: "convolution",
    reads: [x!, kernel!, ...(bias ? [bias] : [])],
    writes: [root],
    prepare: ({ of }) => {
      const options: { relu: boolean; bias?: number } = { relu };
      return () => {
        if (bias) options.bias = addressOf(of, bias);
        wasm.convForward(window, addressOf(of, x!), addressOf(of, kernel!), of[root.id]!, options);
      };
    },
  });
  return true;
};

/** An instruction of two operands and one result that a kernel computes from addresses. */
function lowerPlain(
  windowOf: (lowering: Lowering, inputs: readonly number[], output: number, attributes: object) => WindowShape | null,
  call: (lowering: Lowering, window: WindowShape, operands: readonly number[], result: number) => void,
): Lower {
  return (lowering, { op, inputs, outputs, attributes }) => {
    const window = windowOf(lowering, inputs, outputs[0]!, attributes);
    const operands = window && operandsOf(lowering, inputs, outputs[0]!);
    if (!operands) return false;
    const writes = lowering.results(outputs);
    lowering.step(
      {
        name: op,
        reads: operands,
        writes,
        prepare:
          ({ of }) =>
          () =>
            call(
              lowering,
              window,
              operands.map((x) => addressOf(of, x)),
              of[writes[0]!.id]!,
            ),
      },
      outputs,
    );
    return true;
  };
}
const shapeOf = (lowering: Lowering, id: number | undefined): readonly number[] => lowering.spec(id!).shape;

/** Convolutions and poolings over one or two axes, by the compiled kernels. */
export const lowerWindow: Readonly<Record<string, Lower>> = {
  convolution: lowerConvolution,
  convolutionInputGradient: lowerPlain(
    (l, [g, kernel], out, a) =>
      wasmWindow(shapeOf(l, out), shapeOf(l, kernel).slice(0, -2), shapeOf(l, g), a as ConvolutionInputAttributes),
    ({ wasm }, window, [g, kernel], dx) => wasm.convInputGradient(window, g!, kernel!, dx),
  ),
  convolutionKernelGradient: lowerPlain(
    (l, [x, g], _, a) => {
      const attributes = a as ConvolutionKernelAttributes;
      return wasmWindow(shapeOf(l, x), attributes.window, shapeOf(l, g), attributes);
    },
    ({ wasm }, window, [x, g], dw) => wasm.convKernelGradient(window, x!, g!, dw),
  ),
  maxPool: lowerPlain(
    (l, [x], out, a) => wasmWindow(shapeOf(l, x), (a as PoolAttributes).window, shapeOf(l, out), a as PoolAttributes),
    ({ wasm }, window, [x], y) => wasm.pool("max", window, x!, y),
  ),
  sumPool: lowerPlain(
    (l, [x], out, a) => wasmWindow(shapeOf(l, x), (a as PoolAttributes).window, shapeOf(l, out), a as PoolAttributes),
    ({ wasm }, window, [x], y) => wasm.pool("sum", window, x!, y),
  ),
  maxPoolGradient: lowerPlain(
    (l, [x, g], _, a) => wasmWindow(shapeOf(l, x), (a as PoolAttributes).window, shapeOf(l, g), a as PoolAttributes),
    ({ wasm }, window, [x, g], dx) => wasm.maxPoolGradient(window, x!, g!, dx),
  ),
  sumPoolGradient: lowerPlain(
    (l, [g], out, a) => {
      const attributes = a as SumPoolGradientAttributes;
      return wasmWindow(shapeOf(l, out), attributes.window, shapeOf(l, g), attributes);
    },
    ({ wasm }, window, [g], dx) => wasm.sumPoolGradient("sum", window, g!, dx),
  ),
};
