interface Platform {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}
let enabled: boolean | null = null;

/**
 * Whether engines may run their own versions of composite ops in place of the ops these are made of. They may, unless the environment
 * variable KERAS_NATIVE_COMPOSITES is "0" or `setNativeComposites` says otherwise.
 */
export const nativeComposites = (): boolean =>
  (enabled ??= (globalThis as Platform).process?.env?.["KERAS_NATIVE_COMPOSITES"] !== "0");

/** Turns the engines' own versions of composite ops on or off, to compare the two. What is compiled already stays as it is. */
export function setNativeComposites(on: boolean): void {
  enabled = on;
}
