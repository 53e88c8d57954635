/** An op needs a size that a symbolic tensor does not tell, for which no other may stand in. */
export class UnknownSizeError extends RangeError {
  override readonly name = "UnknownSizeError";
}
