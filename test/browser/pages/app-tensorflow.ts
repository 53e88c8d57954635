import { memory } from "@tensorflow/tfjs-core";
import { report } from "./report.js";
import { scenario } from "./scenario.js";

const { steps } = globalThis as unknown as { readonly steps: number };
await report((progress) => scenario({ progress, steps, held: () => memory().numTensors }));
