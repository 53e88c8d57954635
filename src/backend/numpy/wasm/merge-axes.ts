/** Sizes and steps of a strided walk, neighbouring axes joined where one step walks over both. */
export function mergeAxes(
  shape: readonly number[],
  strides: readonly number[],
): { readonly sizes: number[]; readonly steps: number[] } {
  const sizes: number[] = [];
  const steps: number[] = [];
  shape.forEach((size, i) => {
    if (size === 1) return;
    const last = sizes.length - 1;
    if (last >= 0 && steps[last] === strides[i]! * size) {
      sizes[last]! *= size;
      steps[last] = strides[i]!;
    } else {
      sizes.push(size);
      steps.push(strides[i]!);
    }
  });
  return { sizes, steps };
}
