/**
 * Runs the ESLint rules of n8n's scanner on the source and on the unpacked tarball. Needs no network.
 *
 *     node test/scan.mts <folder of the tarball>
 */
import { join } from "node:path";

/** The part of the scanner that is used here. It has no types. */
interface Scanner {
  analyzePackage: (folder: string, patterns: string[]) => Promise<{ passed: boolean; details?: string }>;
  SOURCE_FILE_PATTERNS: string[];
}

const path: string = "@n8n/scan-community-package/scanner/scanner.mjs";
const { analyzePackage, SOURCE_FILE_PATTERNS } = (await import(path)) as Scanner;
const [tarball = "."] = process.argv.slice(2);
for (const [folder, patterns] of [
  [join(import.meta.dirname, ".."), SOURCE_FILE_PATTERNS],
  [tarball, ["**/*.js", "package.json"]],
] as const) {
  const { passed, details } = await analyzePackage(folder, [...patterns]);
  if (passed) continue;
  process.exitCode = 1;
  console.log(`${folder}: ${details}`);
}
