import { describe, expect, it } from "vitest";
import { replaceImported, withoutIndentation } from "../../scripts/build/lazy-names.js";
import { readChunk } from "../../scripts/build/read-chunk.js";

const lazily = (code: string): string =>
  replaceImported("a.js", code, (from, theirs) => (from === "./part-b.js" ? `$b().${theirs}` : null)).replace(
    /^import.*\n/gm,
    "",
  );

describe("names of parts are asked for where they are used", () => {
  const header = 'import { A as X, f } from "./part-b.js";\nimport { g } from "./keras.js";\n';

  it("in calls, superclasses, objects and after new", () => {
    expect(lazily(`${header}const a = f(g, X.y);`)).toBe("const a = $b().f(g, $b().A.y);");
    expect(lazily(`${header}class C extends X {}`)).toBe("class C extends $b().A {}");
    expect(lazily(`${header}const o = { f, X: 1, k: X };`)).toBe("const o = { f: $b().f, X: 1, k: $b().A };");
    expect(lazily(`${header}const n = new X(1);`)).toBe("const n = new ($b().A)(1);");
  });

  it("and not where the same name means something else", () => {
    expect(lazily(`${header}const h = (f) => f(o.X);`)).toBe("const h = (f) => f(o.X);");
    expect(lazily(`${header}const k = (() => { class X {} return X; })();`)).toBe(
      "const k = (() => { class X {} return X; })();",
    );
    expect(lazily(`${header}const t = "X f";`)).toBe('const t = "X f";');
  });

  it("unless they are exported again, which would have to ask at once", () => {
    expect(() => lazily(`${header}export { X };`)).toThrow("a.js exports X, which it imports.");
  });
});

describe("files of the copy for Node", () => {
  it("lose their indentation, and texts keep theirs", () => {
    const text = "`one\n    two ${f(\n    x)}\n    three`";
    expect(withoutIndentation("a.js", `  {\n    f();\n  }\nconst t = ${text};\n    g();`)).toBe(
      "  {\nf();\n}\nconst t = `one\n    two ${f(\nx)}\n    three`;\ng();",
    );
  });

  it("are read as what they import, export and do", () => {
    const chunk = readChunk(
      "a.js",
      'import b, { c as d } from "./b.js";\nlet n = 0;\nconst m = 1;\nregister(m);\nexport { n as count, m };\nexport { e as f } from "./e.js";',
    );
    expect(chunk.imports[0]?.names).toEqual([
      { theirs: "default", ours: "b" },
      { theirs: "c", ours: "d" },
    ]);
    expect(chunk.exports).toEqual([
      { ours: "n", theirs: "count" },
      { ours: "m", theirs: "m" },
    ]);
    expect(chunk.reexports[0]?.names).toEqual([{ theirs: "e", ours: "f" }]);
    expect([...chunk.changing]).toEqual(["count"]);
    expect(chunk.acts).toEqual(["register(m);"]);
    expect(() => readChunk("a.js", "export const x = 1;")).toThrow(/a\.js/);
  });
});
