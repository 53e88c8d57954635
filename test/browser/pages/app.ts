import { report } from "./report.js";
import { scenario } from "./scenario.js";

await report((progress) => scenario({ progress }));
