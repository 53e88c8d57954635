import { arrayCodecs } from "./array-codecs.js";
import type { Config } from "./field.js";

/** How one kind of value that is neither JSON nor an object with a config is saved: `{"class_name": "__tensor__", "config": {...}}`. */
export interface ValueCodec {
  readonly className: `__${string}__`;
  /** Whether this codec writes `value`. */
  owns(value: unknown): boolean;
  /** The inner config of the envelope. */
  write(value: unknown): Config;
  read(config: Config): unknown;
}
const codecs: ReadonlyMap<string, ValueCodec> = new Map(arrayCodecs.map((codec) => [codec.className, codec]));

/** The codec that reads `className`. */
export const codecFor = (className: string): ValueCodec | undefined => codecs.get(className);
/** The codec that writes `value`. */
export function codecOf(value: unknown): ValueCodec | undefined {
  for (const codec of codecs.values()) if (codec.owns(value)) return codec;
  return undefined;
}
