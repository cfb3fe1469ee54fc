import { defineConfig } from "vitest/config";

// `npm run test:memory`: what the relay takes for 100,000 pods. Two minutes of processor time, most of it twice a list.
export default defineConfig({
  test: {
    root: new URL("../../..", import.meta.url).pathname,
    include: ["test/relay/memory/**/*.test.ts"],
    testTimeout: 900_000,
    reporters: process.env.TIMMERMAN_TEST_REPORT
      ? ["default", ["json", { outputFile: process.env.TIMMERMAN_TEST_REPORT }]]
      : ["default"],
  },
});
