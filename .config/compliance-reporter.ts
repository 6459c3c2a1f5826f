import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";

const root = join(import.meta.dirname, "..");

/** A requirement of docs/oauth-compliance.md, and the test that shows it. */
interface Requirement {
  text: string;
  /** Path from the root of the repository. */
  file: string;
  /** Title of a test or of a group of tests, or a clause of it. */
  title: string;
}

/** Returns the requirements. Paths of the document without a top-level folder are relative to the OAuth module. */
export function readRequirements(): Requirement[] {
  const document = readFileSync(join(root, "docs/oauth-compliance.md"), "utf8");
  const rows = document.matchAll(/^\| (.+?) \| .+ \| `([^`]+\.test\.ts)`: (.+) \|$/gm);
  return [...rows].map(([, text = "", path = "", title = ""]) => ({
    text,
    file: /^(apps|packages)\//.test(path) ? path : join("apps/api/src/modules/oauth", path),
    title,
  }));
}

/** Fails a run in which no test passed that shows a requirement, although its file ran. */
export default class ComplianceReporter implements Reporter {
  #selectsTests = false;

  onInit({ config }: Vitest): void {
    this.#selectsTests = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#selectsTests) return;
    const byFile = new Map(modules.map((module) => [relative(root, module.moduleId), module]));
    for (const { text, file, title } of readRequirements()) {
      const module = byFile.get(file);
      if (!module?.ok() || passed(module, title)) continue;
      console.error(`docs/oauth-compliance.md: no test “${title}” passed in ${file}, which shows: ${text}`);
      process.exitCode = 1;
    }
  }
}

/** Checks whether a test passed whose title, or that of one of its groups, contains the title as a clause. */
function passed(module: TestModule, title: string): boolean {
  const clause = new RegExp(`(?:^|[ "])${RegExp.escape(title)}(?:$|[",:; (])`);
  return [...module.children.allTests("passed")].some(({ fullName }) => clause.test(fullName));
}
