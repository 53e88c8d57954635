import { messageType } from "./object-header.js";
import type { ObjectHeader } from "./object-header.js";

/** Bytes of an element that was never written, from a fill value message (versions 1 to 3); null where it is zero. */
export function readFill(header: ObjectHeader, elementSize: number): Uint8Array | null {
  const message = header.first(messageType.fill);
  if (!message) return null;
  const version = message.u8();
  if (version < 1 || version > 3) throw message.error(`a fill value has version ${version}. Expected 1 to 3`);
  let defined: boolean;
  if (version === 3) {
    defined = (message.u8() & 0x20) !== 0;
  } else {
    message.skip(2);
    defined = message.u8() !== 0 || version === 1;
  }
  if (!defined) return null;
  const size = message.u32();
  return size === elementSize ? message.take(size) : null;
}
