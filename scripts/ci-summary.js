import fs from "node:fs";

/**
 * Prints the closing line of a CI run, "N passed, N failed", over vitest's JSON reports, and exits with 1 unless all went well.
 *
 * Usage: node scripts/ci-summary.js FAILED_STEPS REPORT.json...
 * A test file that could not be loaded counts as one failed test; so does a skipped test, since CI has everything tests may need.
 */
const [failedSteps = "0", ...reports] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const report of reports.filter((file) => fs.existsSync(file))) {
  for (const { status, assertionResults } of JSON.parse(fs.readFileSync(report, "utf8")).testResults) {
    const good = assertionResults.filter((test) => test.status === "passed").length;
    const bad = assertionResults.length - good;
    passed += good;
    failed += bad || (status === "failed" ? 1 : 0);
  }
}
console.log(`${passed} passed, ${failed} failed`);
if (Number(failedSteps) > 0 || failed > 0 || passed === 0) process.exitCode = 1;
