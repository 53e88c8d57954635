let allowed: boolean | null = null;
/** Lets engines choose a fused attention where they have one, which is the default. */
export const enableFlashAttention = (): void => {
  allowed = null;
};
/** Asks engines to compute attention step by step. */
export const disableFlashAttention = (): void => {
  allowed = false;
};
/** False once fused attention was turned off; null while engines choose. */
export const isFlashAttentionEnabled = (): boolean | null => allowed;
