import { defineConfig } from "vitest/config";

// `npm run test:aws`: the contract suites against emulators that others wrote, as a second opinion on our own endpoints.
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/aws/**/*.test.ts"],
    globalSetup: ["test/aws/global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env.TIMMERMAN_TEST_REPORT
      ? ["default", ["json", { outputFile: process.env.TIMMERMAN_TEST_REPORT }]]
      : ["default"],
  },
});
