import path from "node:path";
import { RuleTester } from "eslint";
import tseslint from "typescript-eslint";
import { describe, it } from "vitest";
import { importDirection } from "../../scripts/eslint/import-direction.js";

const src = path.resolve(import.meta.dirname, "../../src");
const options = [{ src }];

RuleTester.it = it;
RuleTester.describe = describe;
const tester = new RuleTester({ languageOptions: { parser: tseslint.parser } });

const from = (file: string, code: string) => ({ filename: path.join(src, file), code, options });

tester.run("imports inside src go one way", importDirection, {
  valid: [
    from("layers/dense.ts", `import { matmul } from "../ops/index.js";`),
    from("layers/core/dense.ts", `import { Layer } from "../layer.js";`),
    from("core/tape.ts", `import type { Name } from "../primitives/name.js";`),
    from("index.ts", `export * as layers from "./layers/index.js";`),
    from(
      "formats/npy/read.ts",
      `import { NDArray } from "../../core/ndarray.js"; import { crc } from "../zip/crc.js";`,
    ),
    from("ops/dispatch.ts", `import backend from "#backend";`),
    from("backend/auto.ts", `export const load = () => import("./numpy/index.js");`),
    { ...from("x.ts", `import { Dense } from "keras-ts/layers";`), filename: path.join(src, "../examples/x.ts") },
  ],
  invalid: [
    { ...from("ops/sum.ts", `import { Dense } from "../layers/dense.js";`), errors: [{ messageId: "later" }] },
    { ...from("utils/a.ts", `import type { NDArray } from "../core/ndarray.js";`), errors: [{ messageId: "later" }] },
    { ...from("core/a.ts", `export { numpy } from "../backend/numpy/index.js";`), errors: [{ messageId: "later" }] },
    { ...from("core/a.ts", `export * from "../layers/index.js";`), errors: [{ messageId: "later" }] },
    { ...from("core/a.ts", `const f = () => import("../layers/index.js");`), errors: [{ messageId: "later" }] },
    { ...from("core/a.ts", `type D = import("../layers/index.js").Dense;`), errors: [{ messageId: "later" }] },
    { ...from("core/a.ts", `import backend from "#backend";`), errors: [{ messageId: "later" }] },
    { ...from("layers/a.ts", `import * as keras from "../index.js";`), errors: [{ messageId: "later" }] },
    { ...from("formats/zip.ts", `import { Tensor } from "../core/tensor.js";`), errors: [{ messageId: "closed" }] },
    { ...from("backend/jax/a.ts", `import { add } from "../numpy/add.js";`), errors: [{ messageId: "engine" }] },
    { ...from("layers/a.ts", `import { ops } from "keras-ts";`), errors: [{ messageId: "self" }] },
    { ...from("layers/a.ts", `import { x } from "../stuff/x.js";`), errors: [{ messageId: "unknown" }] },
  ],
});
