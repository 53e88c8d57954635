import fs from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { hashOfSources } from "../../scripts/wasm-sources.js";
import { root } from "../support/dist.js";

it("the WebAssembly module in the sources was made from native/wasm as it is: npm run build:wasm", async () => {
  const module = await fs.readFile(path.join(root, "src/backend/numpy/wasm/module.generated.ts"), "utf8");
  expect(/^\/\/ Sources: (\w+)$/m.exec(module)?.[1]).toBe(hashOfSources());
});
