import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "./files.ts";
import { lint } from "./lint.ts";

const [repository = join(import.meta.dirname, "../../..")] = process.argv.slice(2);

for (const file of listFiles(repository)) {
  for (const { line, message } of await lint(file, readFileSync(join(repository, file), "utf8"))) {
    console.error(`${file}:${line}  ${message}`);
    process.exitCode = 1;
  }
}
