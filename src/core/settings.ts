import { type DType, isFloat, standardizeDType } from "./dtype.js";

export type ImageDataFormat = "channels_last" | "channels_first";

interface Settings {
  floatx: DType;
  epsilon: number;
  imageDataFormat: ImageDataFormat;
}
const settings: Settings = { floatx: "float32", epsilon: 1e-7, imageDataFormat: "channels_last" };

/** The default float dtype. */
export const floatx = (): DType => settings.floatx;
/** Sets the default float dtype: "float16", "bfloat16", "float32" or "float64"; throws on others. */
export function setFloatx(value: string): void {
  const dtype = standardizeDType(value, "float32");
  if (!isFloat(dtype) || dtype.startsWith("float8")) {
    throw new TypeError(
      `floatx must be one of: bfloat16, float16, float32, float64. Received: ${JSON.stringify(value)}.`,
    );
  }
  settings.floatx = dtype;
}

/** The small number that keeps divisions and logarithms finite. */
export const epsilon = (): number => settings.epsilon;
/** Sets the fuzz factor of numeric expressions. */
export function setEpsilon(value: number): void {
  if (typeof value !== "number" || !(value > 0))
    throw new TypeError(`epsilon must be a positive number. Received: ${String(value)}.`);
  settings.epsilon = value;
}

/** Where images keep their channels when a layer is not told. */
export const imageDataFormat = (): ImageDataFormat => settings.imageDataFormat;
/** Sets the default data format of images. */
export function setImageDataFormat(value: ImageDataFormat): void {
  settings.imageDataFormat = standardizeDataFormat(value);
}
/** `value`, checked; the default data format when it is null or absent. */
export function standardizeDataFormat(value: string | null | undefined): ImageDataFormat {
  if (value === null || value === undefined) return settings.imageDataFormat;
  const lower = String(value).toLowerCase();
  if (lower === "channels_last" || lower === "channels_first") return lower;
  throw new TypeError(`dataFormat must be "channels_last" or "channels_first". Received: ${JSON.stringify(value)}.`);
}

const resets = new Set<() => void>();
/** Registers what `clearSession` must also reset. */
export const onClearSession = (reset: () => void): void => void resets.add(reset);
/** Forgets global state: automatic names start anew, the global seed generator, dtype policy and custom-object scopes vanish. */
export function clearSession(): void {
  for (const reset of resets) reset();
}
