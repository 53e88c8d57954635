/** The bytes of a file do not follow its format, use a part of it that is not read here, or promise more than they hold. */
export class FormatError extends Error {
  override readonly name = "FormatError";

  /** `source` names the file, and the member of it, that was being read. */
  constructor(
    readonly source: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${source}: ${message}`, options);
  }
}
