import { Dynamic } from "../core/dynamic.js";
import type { Envelope } from "./envelope.js";

interface Seen {
  readonly written: Map<object, { readonly envelope: Envelope; readonly id: number }>;
  readonly read: Map<number, unknown>;
}
const sharing = new Dynamic<Seen | null>(null);

/** Runs `fn`; objects that occur twice in what is saved or loaded meanwhile stay one object. */
export const objectSharingScope = <T>(fn: () => T): T => sharing.run({ written: new Map(), read: new Map() }, fn);

/** Notes that `object` was written; from the second time on, all its envelopes carry one id. */
export function noteWritten(object: object, envelope: Envelope): void {
  const seen = sharing.get();
  if (!seen) return;
  const first = seen.written.get(object);
  if (!first) seen.written.set(object, { envelope, id: seen.written.size + 1 });
  else first.envelope.shared_object_id = envelope.shared_object_id = first.id;
}

/** The object already read under `id`. */
export const sharedObject = (id: number | undefined): unknown =>
  id === undefined ? undefined : sharing.get()?.read.get(id);
/** Notes that `object` was read under `id`. */
export const noteRead = (id: number | undefined, object: unknown): void => {
  if (id !== undefined) sharing.get()?.read.set(id, object);
};
