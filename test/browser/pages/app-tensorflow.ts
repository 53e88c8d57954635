import { memory } from "@tensorflow/tfjs-core";
import { report } from "./report.js";
import { scenario } from "./scenario.js";

await report((progress) => scenario({ progress, held: () => memory().numTensors }));
