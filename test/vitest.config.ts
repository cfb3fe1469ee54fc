import { defineConfig } from "vitest/config";

const elsewhere = [
  "test/cluster/**",
  "test/aws/**",
  "test/world/**",
  "test/differential/**",
  "test/stacks/sst/**",
  "test/cost/counted/**",
  "test/relay/memory/**",
  "node_modules/**",
];
/** Rooms whose tests share nothing but pure functions: they load the modules once, which is a quarter of their time. */
const pure = ["core", "api", "properties", "controllers", "simulation", "bench"].map(
  (room) => `test/${room}/**/*.test.ts`,
);
/** Far above what any test takes: a slow host is no failure. */
const patience = { testTimeout: 60_000, hookTimeout: 60_000 };
const root = new URL("..", import.meta.url).pathname;

// `npm test` needs only Node. Suites that need Go, Python or a real control plane live behind their own configs.
export default defineConfig({
  test: {
    root,
    projects: [
      { test: { ...patience, root, name: "pure", include: pure, isolate: false } },
      {
        test: { ...patience, root, name: "isolated", include: ["test/**/*.test.ts"], exclude: [...elsewhere, ...pure] },
      },
    ],
    reporters: process.env.TIMMERMAN_TEST_REPORT
      ? ["default", ["json", { outputFile: process.env.TIMMERMAN_TEST_REPORT }]]
      : ["default"],
  },
});
