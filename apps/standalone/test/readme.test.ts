import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { standaloneConfig } from "../src/config.ts";
import { type Standalone, startStandalone } from "../src/standalone.ts";
import { temporaryFolder } from "./spawned.ts";

const example = join(import.meta.dirname, "../examples/first-webhook.ts");
const readme = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");
const folder = temporaryFolder();
let parley: Standalone;

beforeAll(async () => {
  const config = standaloneConfig.parse({ PORT: "0", DATA_DIR: folder.path, LOG_LEVEL: "silent" });
  parley = await startStandalone(config, () => {});
});
afterAll(async () => {
  await parley.stop();
  folder.remove();
});

test("the README's example is the file that runs here", async () => {
  expect(readme).toContain(readFileSync(example, "utf8"));
  const env = { ...process.env, TOKEN: parley.demoToken ?? "", PARLEY_URL: parley.url };
  const { stdout } = await promisify(execFile)(process.execPath, [example], { env, timeout: 20_000 });
  expect(stdout).toContain("lead.created");
  expect(stdout).toContain("Ada Novak");
});
