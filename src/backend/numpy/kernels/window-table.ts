import { rowMajorStrides, sizeOf } from "../../../core/ndarray.js";

/** How a window slides over the spatial axes of one image. */
export interface WindowGeometry {
  /** Spatial shape of the image. */
  readonly image: readonly number[];
  readonly window: readonly number[];
  /** Positions of the window on each axis. */
  readonly positions: readonly number[];
  readonly strides: readonly number[];
  readonly padding: readonly (readonly [number, number])[];
  readonly dilation?: readonly number[];
}

/** Pixel of the image under each tap of the window at each position, row-major [positions, taps]; -1 where it lies outside. */
export function windowTable(geometry: WindowGeometry): Int32Array {
  const { image, window, positions, strides, padding, dilation } = geometry;
  const [count, taps] = [sizeOf(positions), sizeOf(window)];
  const table = new Int32Array(count * taps);
  const steps = rowMajorStrides(image);
  const [positionSteps, tapSteps] = [rowMajorStrides(positions), rowMajorStrides(window)];
  for (let axis = 0; axis < image.length; axis++) {
    const dim = image[axis]!;
    for (let p = 0; p < count; p++) {
      const origin = (Math.floor(p / positionSteps[axis]!) % positions[axis]!) * strides[axis]! - padding[axis]![0];
      for (let t = 0; t < taps; t++) {
        const at = origin + (Math.floor(t / tapSteps[axis]!) % window[axis]!) * (dilation?.[axis] ?? 1);
        const i = p * taps + t;
        if (at < 0 || at >= dim) table[i] = -1;
        else if (table[i] !== -1) table[i]! += at * steps[axis]!;
      }
    }
  }
  return table;
}
