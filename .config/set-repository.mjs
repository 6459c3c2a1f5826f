// Changes the address of the repository in all files: npm run set-repository -- https://github.com/<owner>/<name>
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const { repository } = JSON.parse(readFileSync("package.json", "utf8"));
const [, , address = ""] = process.argv;
if (!/^https:\/\/github\.com\/[\w-]+\/[\w.-]+(?<!\.git)$/.test(address)) {
  console.error("Usage: npm run set-repository -- https://github.com/<owner>/<name>");
  process.exit(1);
}
const files = execFileSync("git", ["grep", "-lIF", repository], { encoding: "utf8" }).trim().split("\n");
for (const file of files) {
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(repository, address));
  console.log(file);
}
