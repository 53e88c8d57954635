import { expect, vi } from "vitest";
import { itRequires, missing } from "../support/require.js";

vi.stubEnv("KERAS_BACKEND", missing("libtorch") === null ? "torch" : "numpy");
const { backend } = await import("../../src/backend/index.js");
itRequires("libtorch", "gradients are compared with difference quotients on libtorch", () => {
  expect(backend()).toBe("torch");
});
if (backend() === "torch") {
  // Gradients of all primitives and of recorded calls, and gradients of those.
  await import("../../src/primitives/gradients.test.js");
  await import("../golden/second-order.test.js");
}
