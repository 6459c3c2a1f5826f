import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = places.find((path) => existsSync(path));
if (!executablePath && process.env["CI"]) throw new Error("CI must have Chromium: .ci/run installs it");
if (!executablePath) console.warn("skipped: there is no Chromium on this machine");

/** Whether this machine has a Chromium to test with. */
export const hasChromium = executablePath !== undefined;

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? "",
    args: ["--no-sandbox", "--disable-gpu"],
  });
}
