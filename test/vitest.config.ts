import { defineConfig } from "vitest/config";

// `npm test` needs only Node. Suites that need Go, Python or a real control plane live behind their own configs.
export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    exclude: ["test/cluster/**", "test/aws/**", "test/world/**", "node_modules/**"],
    testTimeout: 20_000,
    reporters: process.env.TIMMERMAN_TEST_REPORT
      ? ["default", ["json", { outputFile: process.env.TIMMERMAN_TEST_REPORT }]]
      : ["default"],
  },
});
