import { defineConfig } from "vitest/config";

// `npm run test:world`: the embedded world as users run it, each in a process of its own, one at a time.
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/world/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: process.env.TIMMERMAN_TEST_REPORT
      ? ["default", ["json", { outputFile: process.env.TIMMERMAN_TEST_REPORT }]]
      : ["default"],
  },
});
