import { setEpsilon, setFloatx, setImageDataFormat } from "../../../src/core/settings.js";
import type { Arrays, GoldenCase } from "../cases.js";
import { decode } from "../decode.js";

/** Everything a case needs before the call that is compared; what throws here is a failure even where an error is expected. */
export type Prepare = (golden: GoldenCase, arrays: Arrays) => Promise<() => unknown>;
/** How cases of a kind are repeated; throws when the library differs. */
export interface Kind {
  readonly replay: (golden: GoldenCase, arrays: Arrays) => Promise<void>;
  /** For kinds whose calls may be recorded as errors. */
  readonly prepare?: Prepare;
}

export interface DecodedCall {
  readonly args: readonly unknown[];
  readonly kwargs: Readonly<Record<string, unknown>>;
}
export async function decodeCall(golden: GoldenCase, arrays: Arrays): Promise<DecodedCall> {
  const args = (await decode(golden.args ?? [], arrays)) as unknown[];
  const entries = Object.entries(golden.kwargs ?? {}).map(async ([k, v]) => [k, await decode(v, arrays)] as const);
  return { args, kwargs: Object.fromEntries(await Promise.all(entries)) };
}

/** Runs a case under the settings it was recorded with. */
export async function withSettings<T>(settings: GoldenCase["settings"], fn: () => Promise<T>): Promise<T> {
  if (!settings) return fn();
  try {
    if (settings["floatx"]) setFloatx(settings["floatx"] as string);
    if (settings["epsilon"]) setEpsilon(settings["epsilon"] as number);
    if (settings["image_data_format"]) setImageDataFormat(settings["image_data_format"] as "channels_first");
    return await fn();
  } finally {
    setFloatx("float32");
    setEpsilon(1e-7);
    setImageDataFormat("channels_last");
  }
}
