import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Script of the pages of the console. */
export const consoleScript: string = readFileSync(join(import.meta.dirname, "console.js"), "utf8");
