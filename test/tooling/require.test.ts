import { afterEach, describe, expect, it, vi } from "vitest";
import { isDemanded, itRequires, python, runPython } from "../support/require.js";

afterEach(() => vi.unstubAllEnvs());

describe("requirements of tests", () => {
  it("say how to get what is missing", async () => {
    vi.resetModules();
    vi.stubEnv("KERAS_TS_PYTHON", "/nonexistent/python");
    const fresh = await import("../support/require.js");
    expect(fresh.python()).toBeNull();
    expect(fresh.missing("python")).toMatch(/needs Python with Keras: .*requirements\.txt/);
  });

  it("are demanded by name, or all at once", () => {
    expect(isDemanded("torch", "python, torch")).toBe(true);
    expect(isDemanded("torch", "all")).toBe(true);
    expect(isDemanded("torch", "python")).toBe(false);
    expect(isDemanded("torch")).toBe(false);
    expect(() => isDemanded("torch", "pyton")).toThrow(/knows python, .* Received: pyton\./);
  });

  itRequires("python", "give tests real Keras to compare with", async () => {
    const printed = await runPython(`import keras; print(keras.backend.backend(), keras.__version__)`, {
      backend: "numpy",
    });
    expect(printed.trim()).toBe(`numpy ${python()?.version}`);
  });
});
