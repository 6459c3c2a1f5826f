import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createScript, type Script } from "../../oauth/pages/page.ts";

/** Script of the pages of the console. */
export const consoleScript: Script = createScript(
  readFileSync(join(import.meta.dirname, "console.js"), "utf8"),
);
