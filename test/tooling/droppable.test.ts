import { build } from "esbuild";
import { describe, expect, it, vi } from "vitest";
import { makeDroppable } from "../../scripts/build/droppable.js";
import { markPure } from "../../scripts/build/pure.js";
import { foldRegistrations } from "../../scripts/build/registrations.js";

describe("foldRegistrations", () => {
  it("moves calls about one class of the module into the class", () => {
    const text = `export class A {\n  x = 1;\n}\nregister("a", { A, Alias: A });\nnote(A);\n`;
    const folded = foldRegistrations(text);
    expect(folded).toMatch(
      /^export class A \{[^]*static #folded = \[.*register\("a", \{ A, Alias: A \}\), .*note\(A\)\];\n\}/,
    );
    expect(folded.slice(folded.lastIndexOf("}"))).toMatch(/^\}\s*$/);
  });

  it("leaves calls about several things of the module, or about none, alone", () => {
    const text = `class A {}\nclass B {}\nconst c = 1;\nboth(A, B);\nwith(A, c);\nstart();\nother({ A: 1 });\n`.replace(
      "with",
      "pair",
    );
    expect(foldRegistrations(text)).toBe(text);
  });
});

describe("makeDroppable", () => {
  const program = `
    const base = { one: 1 };
    export const spread = { ...base, text: "unused-spread" };
    export const member = base.one;
    export const { one, two: renamed } = base;
    export class Keyed { [Symbol.iterator]() { return "unused-computed"; } }
    export class Known { static text = "unused-known" }
    note(Known);
    export class Used { static kind = "used-class"; [Symbol.iterator]() {} }
    note(Used);
  `;
  const droppable = makeDroppable(foldRegistrations(markPure(program)));

  it("lets a bundler drop what would look effectful, with what was noted about it", async () => {
    const { outputFiles } = await build({
      stdin: { contents: `import { Used } from "program"; globalThis.used = Used;` },
      plugins: [
        {
          name: "program",
          setup({ onResolve, onLoad }) {
            onResolve({ filter: /^program$/ }, () => ({ path: "program", namespace: "program" }));
            onLoad({ filter: /./, namespace: "program" }, () => ({ contents: droppable }));
          },
        },
      ],
      bundle: true,
      write: false,
      format: "esm",
    });
    const output = outputFiles[0]!.text;
    expect(output).toContain("used-class");
    expect(output).not.toMatch(/unused-|renamed|member/);
    expect(output.match(/note\(/g)).toHaveLength(1);
  });

  it("computes the same values under the same names", async () => {
    const noted: { name: string }[] = [];
    vi.stubGlobal("note", (made: { name: string }) => noted.push(made));
    const made = (await import(`data:text/javascript,${encodeURIComponent(droppable)}`)) as Record<string, unknown>;
    vi.unstubAllGlobals();
    expect(noted).toEqual([made["Known"], made["Used"]]);
    expect(noted.map(({ name }) => name)).toEqual(["Known", "Used"]);
    expect(made).toMatchObject({ spread: { one: 1, text: "unused-spread" }, member: 1, one: 1, renamed: undefined });
    expect((made["Keyed"] as { name: string }).name).toBe("Keyed");
  });
});
