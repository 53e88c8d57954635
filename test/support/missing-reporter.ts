import type { Reporter, TestModule } from "vitest/node";

/** Ends a test run by saying which tests did not run, for want of what, and how to get it. */
export default class MissingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const result = test.result();
        const reason = (result.state === "skipped" && result.note) || "skipped without a reason";
        counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
    }
    for (const [reason, count] of counts) {
      console.log(`   Not run  ${count} ${count === 1 ? "test" : "tests"}: ${reason}`);
    }
  }
}
