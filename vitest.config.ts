import { defineConfig } from "vitest/config";

// Tests import the sources: "keras-ts" and "#backend" resolve to src/ through the "source" condition of package.json.
const conditions = ["source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    environment: "node",
    reporters: ["default", "./test/support/missing-reporter.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});
