import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const repository = join(import.meta.dirname, "../../..");
const guide = readFileSync(join(repository, "docs/operating.md"), "utf8");
const starts = guide.match(/^\S*node .*main\.mjs/gm) ?? [];

test("docs/operating.md starts the API and the worker", () => expect(starts).toHaveLength(2));

test.each(starts)("%s reads its configuration, whatever Node.js the machine has", async (line) => {
  const [command = "", script = ""] = line.split(" ");
  const environment = { cwd: repository, env: { PATH: "/usr/bin:/bin" } };
  const said = await new Promise<string>((resolve) => {
    execFile(command, [script], environment, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
  expect(said).toContain("The configuration is not valid.\n\n  DATABASE_URL");
});
