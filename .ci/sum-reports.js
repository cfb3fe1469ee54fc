// Adds up vitest's JSON reports: `node .ci/sum-reports.js <folder> <runs that failed>` prints the closing line.
// A run that failed without a failed test (a file that doesn't load, a setup that throws) counts as one failure.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, ...failedRuns] = process.argv.slice(2);
const sum = { passed: 0, failed: 0, skipped: 0 };
const blamed = new Set();
for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  const report = JSON.parse(readFileSync(join(folder, file), "utf8"));
  sum.passed += report.numPassedTests;
  sum.failed += report.numFailedTests;
  sum.skipped += report.numPendingTests + report.numTodoTests;
  if (report.numFailedTests > 0) blamed.add(file.replace(/\.json$/, ""));
}
sum.failed += failedRuns.filter((run) => !blamed.has(run)).length;
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
