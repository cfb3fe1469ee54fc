import { defineConfig } from "vitest/config";

// SST's own components under a stand-in for Pulumi's engine: the first run installs them, a minute from the registry.
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/stacks/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    reporters: process.env.TIMMERMAN_TEST_REPORT
      ? ["default", ["json", { outputFile: process.env.TIMMERMAN_TEST_REPORT }]]
      : ["default"],
  },
});
