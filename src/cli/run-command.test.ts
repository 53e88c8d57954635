import { afterEach, expect, it, vi } from "vitest";
import { runCommand } from "./run-command.js";

afterEach(() => vi.restoreAllMocks());

it("explains itself", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  expect(await runCommand([])).toBe(0);
  expect(await runCommand(["--help"])).toBe(0);
  expect(log.mock.calls.join()).toContain("install-torch");
});

it("refuses what it does not know", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  expect(await runCommand(["build-torch"])).toBe(2);
  expect(await runCommand(["install-torch", "--fast"])).toBe(2);
  expect(error.mock.calls.join()).toContain("Unknown: --fast");
});

it("says where it looked for libtorch and how to get it", async () => {
  vi.stubEnv("LIBTORCH", "/nowhere");
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  expect(await runCommand(["install-torch"])).toBe(1);
  expect(error.mock.calls.join()).toMatch(/LIBTORCH: no \/nowhere.*pip install torch.*apt-get install libtorch-dev/s);
  vi.unstubAllEnvs();
});
