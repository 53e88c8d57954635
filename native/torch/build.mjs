// Builds the addon from a clone of the repository, as `npx keras-ts install-torch` does from the package.
import { register } from "tsx/esm/api";

register();
const { installTorch } = await import("../../src/backend/torch/install/install.node.ts");
await installTorch({ force: process.argv.includes("--force"), write: (line) => console.log(line) });
