import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { listFiles } from "./files.ts";
import { lint } from "./lint.ts";

const { values, positionals } = parseArgs({ options: { all: { type: "boolean" } }, allowPositionals: true });
const [repository = join(import.meta.dirname, "../../..")] = positionals;

for (const file of listFiles(repository, values.all ?? false)) {
  for (const { line, message } of await lint(file, readFileSync(join(repository, file), "utf8"))) {
    console.error(`${file}:${line}  ${message}`);
    process.exitCode = 1;
  }
}
