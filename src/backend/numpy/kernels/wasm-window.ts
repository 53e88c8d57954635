import type { Shape } from "../../../core/dtype.js";
import type { WindowShape } from "../wasm/window-shape.js";

/** What a convolution and a pooling say about their window. */
export interface WindowAttributes {
  readonly strides: readonly number[];
  readonly padding: readonly (readonly [number, number])[];
  readonly dilation?: readonly number[];
  readonly groups?: number;
}

/**
 * The geometry for the compiled kernels of a window that slides over `x` [batch, ...spatial, channels] to give `y`; null unless there are one
 * or two spatial axes. One axis is a row of height 1.
 */
export function wasmWindow(x: Shape, window: Shape, y: Shape, attributes: WindowAttributes): WindowShape | null {
  const rank = window.length;
  if (rank !== 1 && rank !== 2) return null;
  const last = rank - 1;
  const row = <T>(values: readonly T[], absent: T): T => (rank === 2 ? values[0]! : absent);
  return {
    batch: x[0]!,
    height: row(x.slice(1, -1), 1),
    width: x[last + 1]!,
    channels: x.at(-1)!,
    kernelHeight: row(window, 1),
    kernelWidth: window[last]!,
    filters: y.at(-1)!,
    outHeight: row(y.slice(1, -1), 1),
    outWidth: y[last + 1]!,
    strideY: row(attributes.strides, 1),
    strideX: attributes.strides[last]!,
    dilationY: row(attributes.dilation ?? [], 1) ?? 1,
    dilationX: attributes.dilation?.[last] ?? 1,
    padTop: row(
      attributes.padding.map(([low]) => low),
      0,
    ),
    padLeft: attributes.padding[last]![0],
    groups: attributes.groups ?? 1,
  };
}
