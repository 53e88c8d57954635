import { NDArray } from "../../core/ndarray.js";
import { showValue } from "../../utils/show-value.js";

/** Weights by class: a plain object or Map from class numbers to weights. Classes left out count 1. */
export type ClassWeight = Readonly<Record<number, number>> | ReadonlyMap<number, number>;

/**
 * Weights of samples from those of their classes. Classes of targets with several columns are their largest column.
 * @throws TypeError when a class is no integer or a weight no number.
 */
export function classWeightToSampleWeights(y: NDArray, classWeight: ClassWeight): NDArray {
  const weights = readWeights(classWeight);
  const count = y.shape[0]!;
  const values = y.numbers();
  const width = count > 0 ? values.length / count : 1;
  const columns = y.ndim > 1 ? y.shape.at(-1)! : 1;
  if (columns === 1 ? width !== 1 : width !== columns)
    throw new RangeError(
      `\`classWeight\` needs one class for each sample: targets of shape [n], [n, 1] or [n, classes]. Received: [${y.shape}].`,
    );
  const result = new Float32Array(count).fill(1);
  for (let i = 0; i < count; i++) {
    const weight = weights.get(columns === 1 ? roundHalfEven(values[i]!) : argMax(values, i * columns, columns));
    if (weight !== undefined) result[i] = weight;
  }
  return new NDArray(result, [count], "float32");
}

function readWeights(classWeight: ClassWeight): Map<number, number> {
  const entries: [unknown, unknown][] =
    classWeight instanceof Map ? [...(classWeight as Map<number, number>)] : Object.entries(classWeight);
  return new Map(
    entries.map(([key, weight]) => {
      const label = typeof key === "string" && key.trim() !== "" ? Number(key) : key;
      if (!Number.isInteger(label))
        throw new TypeError(`The keys of \`classWeight\` must be class numbers. Received: ${showValue(key)}.`);
      if (typeof weight !== "number")
        throw new TypeError(
          `\`classWeight\` of class ${String(key)} must be a number. Received: ${showValue(weight)}.`,
        );
      return [label as number, weight];
    }),
  );
}

const roundHalfEven = (x: number): number => {
  const down = Math.floor(x);
  return x - down === 0.5 ? down + (down % 2 === 0 ? 0 : 1) : Math.round(x);
};
function argMax(values: Float64Array, start: number, count: number): number {
  let best = 0;
  for (let k = 1; k < count; k++) if (values[start + k]! > values[start + best]!) best = k;
  return best;
}
