import { defineConfig } from "vitest/config";

// `npm run test:aws`: the contract suites against emulators that others wrote, as a second opinion on our own endpoints.
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/aws/**/*.test.ts"],
    globalSetup: ["test/aws/global-setup.ts"],
    // Some of moto's answers take seconds, and on a slow machine that has much else to do many more.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: process.env.TIMMERMAN_TEST_REPORT
      ? ["default", ["json", { outputFile: process.env.TIMMERMAN_TEST_REPORT }]]
      : ["default"],
  },
});
