import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startDemo } from "../src/testing/demo.ts";
import { readme, runReadmeCommands, scripts } from "./readme-example.ts";

test("the README shows the example's file", () => {
  const file = scripts["example"]?.split(" ").at(-1) ?? "";
  const text = readFileSync(join(import.meta.dirname, "../../..", file), "utf8");
  expect(readme).toContain(`\`\`\`js\n${text}\`\`\`\n`);
});

test("the example lists leads and receives the events of the README's commands", async () => {
  const parley = await startDemo();
  onTestFinished(() => parley.stop());
  expect(await runReadmeCommands(process.execPath, parley)).toMatch(
    /^new lead Ada Novak\n(.*\n)*new lead Test of the Parley CLI$/m,
  );
});
