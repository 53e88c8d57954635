import { inlineComposites, type Program } from "../../../core/program.js";
import { takesComposite } from "../composites.js";

/** Replaces composite ops by their bodies, except those that ATen has an op for. */
export const inlineForeign = (program: Program): Program => inlineComposites(program, takesComposite);
