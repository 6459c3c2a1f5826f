import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Ends the output with one line for machines and hurried people: `12 passed, 0 failed, 1 skipped`. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] += 1;
      // A file that does not load, or a hook that throws, fails without a test which does.
      for (const part of [module, ...module.children.allSuites()]) {
        if (part.errors().length > 0) count.failed += 1;
      }
    }
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`);
  }
}
