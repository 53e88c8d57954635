import { expect, it } from "vitest";
import { engines } from "./engines.js";
import { loadBackend } from "./load.js";

it("loads the built-in engine", async () => {
  expect((await loadBackend("numpy", "a test")).name).toBe("numpy");
});

it("lists the engines when there is none of that name", async () => {
  await expect(loadBackend("theano", "a test")).rejects.toThrow(
    `Unknown backend: "theano" (from a test). Expected one of: ${Object.keys(engines).join(", ")}.`,
  );
  await expect(loadBackend("toString", "a test")).rejects.toThrow(/Unknown backend/);
});

it("says how to install what an engine needs", async () => {
  const absent = "a-package-nobody-has";
  const table = {
    other: {
      load: () => import(absent) as Promise<never>,
      requires: { package: absent, install: `npm install ${absent}` },
    },
    broken: {
      load: () => Promise.reject(new Error("inside")),
      requires: { package: absent, install: `npm install ${absent}` },
    },
  };
  await expect(loadBackend("other", "a test", table)).rejects.toThrow(
    `The backend "other" (from a test) needs the package ${absent}, which is not installed. Install it with: npm install ${absent}`,
  );
  await expect(loadBackend("broken", "a test", table)).rejects.toThrow("inside");
});
