import { type DType, isDType } from "../core/dtype.js";
import { type ArrayLikeData, NDArray } from "../core/ndarray.js";
import { showValue } from "../utils/show-value.js";

/** Sequences of numbers (or of arrays of equal shapes), each as long as it likes. */
export type Sequences = readonly (NDArray | ArrayLikeData)[];
export interface PadSequencesOptions {
  /** Length of all results; that of the longest sequence when left out. */
  readonly maxlen?: number | null | undefined;
  /** "int32" when left out; "string" for sequences of strings. */
  readonly dtype?: string | undefined;
  /** Where values are added: in front ("pre") or behind ("post"). */
  readonly padding?: "pre" | "post" | undefined;
  /** Where values of sequences that are too long are cut: in front ("pre") or behind ("post"). */
  readonly truncating?: "pre" | "post" | undefined;
  /** What is added; 0 when left out. */
  readonly value?: number | string | undefined;
}

/** NumPy's names for strings: "str", "object", "<U3". */
const isText = (dtype: string): boolean => /^(string|str|object|[<>=|]?[US]\d*)$/.test(dtype);
const side = (name: string, value: string): "pre" | "post" => {
  if (value === "pre" || value === "post") return value;
  throw new TypeError(`padSequences: \`${name}\` must be "pre" or "post". Received: ${showValue(value)}.`);
};

/**
 * Sequences of different lengths as one array [sequences, maxlen, ...]. Sequences of strings give nested arrays.
 * @throws TypeError for what is no list of sequences, and when the value to add does not fit the dtype.
 */
export function padSequences(sequences: Sequences, options?: PadSequencesOptions): NDArray;
export function padSequences(
  sequences: readonly (readonly string[])[],
  options: PadSequencesOptions & { readonly dtype: string; readonly value?: string | undefined },
): string[][];
export function padSequences(
  sequences: Sequences | readonly (readonly string[])[],
  { maxlen = null, dtype = "int32", padding = "pre", truncating = "pre", value = 0 }: PadSequencesOptions = {},
): NDArray | string[][] {
  const [front, cut] = [side("padding", padding) === "pre", side("truncating", truncating) === "pre"];
  if (!Array.isArray(sequences)) throw new TypeError("padSequences takes an array of sequences.");
  /** Where a sequence of `length` is read from and written to. */
  const plan = (length: number, room: number): { from: number; to: number; count: number } => {
    const count = Math.min(length, room);
    return { from: cut ? length - count : 0, to: front ? room - count : 0, count };
  };
  if (isText(dtype)) return padText(sequences as readonly (readonly string[])[], maxlen, String(value), plan);
  if (typeof value === "string" || !isDType(dtype))
    throw new TypeError(
      `padSequences: the value ${showValue(value)} does not fit dtype ${showValue(dtype)}. Give \`dtype: "string"\` for sequences of strings.`,
    );
  return padNumbers((sequences as Sequences).map(readSequence), maxlen, { dtype, value, plan });
}

function readSequence(sequence: NDArray | ArrayLikeData, i: number): NDArray {
  const array = typeof sequence === "object" ? NDArray.from(sequence) : null;
  if (array && array.ndim > 0) return array;
  throw new TypeError(`padSequences takes an array of sequences. Sequence ${i} is ${showValue(sequence)}.`);
}

type Plan = (length: number, room: number) => { from: number; to: number; count: number };
interface Filling {
  readonly dtype: DType;
  readonly value: number;
  readonly plan: Plan;
}
function padNumbers(arrays: readonly NDArray[], maxlen: number | null, { dtype, value, plan }: Filling): NDArray {
  const room = maxlen ?? arrays.reduce((most, { shape }) => Math.max(most, shape[0]!), 0);
  const sample = arrays.find(({ shape }) => shape[0] !== 0)?.shape.slice(1) ?? [];
  const width = sample.reduce((n, d) => n * d, 1);
  const out = new Float64Array(arrays.length * room * width).fill(value);
  arrays.forEach((array, i) => {
    const length = array.shape[0]!;
    if (length === 0) return;
    if (array.shape.slice(1).join() !== sample.join())
      throw new RangeError(
        `padSequences: the values of sequence ${i} have shape [${array.shape.slice(1)}], those before [${sample}].`,
      );
    const { from, to, count } = plan(length, room);
    out.set(array.numbers().subarray(from * width, (from + count) * width), (i * room + to) * width);
  });
  return new NDArray(out, [arrays.length, room, ...sample], "float64").astype(dtype);
}

function padText(
  sequences: readonly (readonly string[])[],
  maxlen: number | null,
  value: string,
  plan: Plan,
): string[][] {
  const room = maxlen ?? Math.max(0, ...sequences.map((sequence) => sequence.length));
  return sequences.map((sequence) => {
    const { from, to, count } = plan(sequence.length, room);
    const row = Array<string>(room).fill(value);
    row.splice(to, count, ...sequence.slice(from, from + count).map(String));
    return row;
  });
}
