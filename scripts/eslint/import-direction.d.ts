import type { Rule } from "eslint";

export declare const layersOfSrc: readonly (readonly string[])[];
export declare const importDirection: Rule.RuleModule;
