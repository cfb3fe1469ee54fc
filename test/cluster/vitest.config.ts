import { defineConfig } from "vitest/config";

// `npm run test:cluster`: suites that boot real control planes. One file at a time: each boots its own.
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/cluster/**/*.test.ts"],
    globalSetup: ["test/cluster/global-setup.ts"],
    fileParallelism: false,
    // More than what is waited for within a test, so that those waits tell what was missing.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: process.env.TIMMERMAN_TEST_REPORT
      ? ["default", ["json", { outputFile: process.env.TIMMERMAN_TEST_REPORT }]]
      : ["default"],
  },
});
