/** Name of the composite that stands for a chain; its attributes hold the code. */
export const chainName = "torch.Chain";
/** What a chain's composite carries. */
export interface ChainAttributes {
  readonly code: readonly number[];
}
