import { defineConfig } from "vitest/config";

// `npm run test:karpenter`: our plans beside those of Karpenter's published scheduler, which Go builds on first use.
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/differential/**/*.test.ts"],
    testTimeout: 240_000,
    // The build takes some minutes on a cold cache.
    hookTimeout: 240_000,
    reporters: process.env.TIMMERMAN_TEST_REPORT
      ? ["default", ["json", { outputFile: process.env.TIMMERMAN_TEST_REPORT }]]
      : ["default"],
  },
});
