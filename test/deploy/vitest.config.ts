import { defineConfig } from "vitest/config";

// `npm run test:deploy`: one deployment from its first resource to its removal, by the real SST and the real engine.
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/deploy/**/*.test.ts"],
    globalSetup: ["test/deploy/setup.ts"],
    testTimeout: 600_000,
    hookTimeout: 900_000,
    // Each test goes on from where the one before it has left the deployment.
    sequence: { concurrent: false, shuffle: false },
    reporters: process.env.TIMMERMAN_TEST_REPORT
      ? ["default", ["json", { outputFile: process.env.TIMMERMAN_TEST_REPORT }]]
      : ["default"],
  },
});
