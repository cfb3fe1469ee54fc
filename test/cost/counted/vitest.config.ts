import { defineConfig } from "vitest/config";

// `npm run test:cost`: counts what hours and a day of one cluster take of AWS, and holds docs/cost.md against it.
// With TIMMERMAN_COST_WRITE=1 it writes the counts there instead.
export default defineConfig({
  test: {
    root: new URL("../../..", import.meta.url).pathname,
    include: ["test/cost/counted/**/*.test.ts"],
    testTimeout: 900_000,
    hookTimeout: 900_000,
    reporters: process.env.TIMMERMAN_TEST_REPORT
      ? ["default", ["json", { outputFile: process.env.TIMMERMAN_TEST_REPORT }]]
      : ["default"],
  },
});
