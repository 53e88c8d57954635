import { oneOf } from "../../config/fields.js";

/** Whether NVIDIA's kernels are wanted, which no engine has here: "auto" and false are the same. */
/* @__NO_SIDE_EFFECTS__ */
export const useCudnn = () => oneOf(["auto", true, false], "auto", { saved: false });

/** Throws when a layer was told to use them. */
export function assertNoCudnn(layer: { readonly name: string }, wanted: string | boolean): void {
  if (wanted === true)
    throw new Error(`Layer "${layer.name}": \`useCudnn\` is true, but no engine has cuDNN's kernels. Leave it "auto".`);
}
