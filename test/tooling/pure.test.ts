import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { markPure } from "../../scripts/build/pure.js";

describe("markPure", () => {
  it("marks calls that only make a top-level value", () => {
    expect(markPure(`export const add = defineOp("Add", f);`)).toBe(
      `export const add = /* @__PURE__ */ defineOp("Add", f);`,
    );
    expect(markPure(`const seen = new Map([pair()]);`)).toBe(
      `const seen = /* @__PURE__ */ new Map([/* @__PURE__ */ pair()]);`,
    );
  });

  it("leaves statements and the insides of functions and methods alone", () => {
    const text = `register(A);\nconst f = () => g();\nclass A { x = g(); m() { return g(); } static { g(); } }`;
    expect(markPure(text)).toBe(text);
  });

  it("lets a bundler drop unused classes and ops, and keep used ones", async () => {
    const text = markPure(`
      const configure = (base: typeof Object, name: string) => Object.assign(class extends base {}, { kind: name });
      const table = { units: field("unused-field") };
      function field(name: string) { return { name }; }
      class Unused extends configure(Object, "unused-class") { static table = table; }
      class Used extends configure(Object, "used-class") {}
      const unusedOp = [1].map(() => "unused-op");
      console.log(Used);
    `);
    const { outputFiles } = await build({
      stdin: { contents: text, loader: "ts" },
      bundle: true,
      write: false,
      format: "iife",
      treeShaking: true,
    });
    const output = outputFiles[0]?.text;
    expect(output).toContain("used-class");
    expect(output).not.toMatch(/unused-(class|op|field)/);
  });
});
