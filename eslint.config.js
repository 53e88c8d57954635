import tseslint from "typescript-eslint";
import { importDirection } from "./scripts/eslint/import-direction.js";

const tests = ["src/**/*.test.ts", "src/**/*.test-d.ts"];

const nodeOnly =
  "Code in src/ runs in browsers too: load Node modules with a dynamic import, or from a *.node.ts file.";

/** Browser code cannot count on these globals of Node. */
const nodeGlobals = ["process", "Buffer", "require", "module", "__dirname", "__filename", "global", "setImmediate"];

/** Focused and skipped tests hide failures: a missing requirement is said with test/support/require.ts instead. */
const focusedOrSkipped = ["it", "test", "describe", "suite", "bench"].flatMap((name) =>
  ["only", "skip", "todo", "skipIf", "runIf", "fails"].map((property) => ({
    object: name,
    property,
    message: "Every test runs. What needs an absent tool goes through itRequires (test/support/require.ts).",
  })),
);

export default tseslint.config(
  { ignores: ["dist/", "coverage/", "bench/results/", "test/data/", "native/wasm/", "**/*.generated.ts"] },
  {
    files: ["**/*.{js,mjs,ts}"],
    extends: [tseslint.configs.recommended],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "object-shorthand": "error",
      "no-eval": "error",
      "no-new-func": "error",
      "max-lines": ["error", { max: 400 }],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "separate-type-imports" }],
      "@typescript-eslint/no-explicit-any": ["error", { ignoreRestArgs: true }],
      "@typescript-eslint/no-non-null-assertion": "off",
      // Operators on tensors and fields of configured classes are typed by an interface beside the class.
      "@typescript-eslint/no-unsafe-declaration-merging": "off",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "with-single-extends" }],
    },
  },
  {
    files: ["src/**/*.ts"],
    ignores: tests,
    plugins: { "keras-ts": { rules: { "import-direction": importDirection } } },
    rules: {
      "keras-ts/import-direction": ["error", { src: "src" }],
      "no-console": "error",
      "no-restricted-syntax": [
        "error",
        { selector: "TSEnumDeclaration", message: "A union of strings says the same and needs no run-time object." },
      ],
      "no-restricted-imports": ["error", { patterns: [{ regex: "^node:", message: nodeOnly }] }],
      "no-restricted-globals": ["error", ...nodeGlobals.map((name) => ({ name, message: nodeOnly }))],
    },
  },
  {
    files: ["src/**/*.node.ts", "src/cli/**/*.ts"],
    rules: { "no-restricted-imports": "off", "no-restricted-globals": "off" },
  },
  {
    // The places whose job is to print.
    files: ["src/utils/progbar.ts", "src/utils/print*.ts", "src/utils/io*.ts", "src/cli/**/*.ts"],
    rules: { "no-console": "off" },
  },
  {
    files: [...tests, "test/**/*.ts"],
    rules: { "no-restricted-properties": ["error", ...focusedOrSkipped] },
  },
);
