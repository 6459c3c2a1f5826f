import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = places.find((path) => existsSync(path));
if (!executablePath && process.env["CI"]) throw new Error("CI must have Chromium: .ci/run installs it");
if (!executablePath) console.warn("skipped: there is no Chromium on this machine");

/** Whether this machine has a Chromium to test with. In CI it must have. */
export const hasChromium: boolean = executablePath !== undefined;

/** Starts it so that it works as root, and asks the network for nothing by itself. */
export function launchChromium(): Promise<Browser> {
  const quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking"];
  const alone = ["--disable-component-update", "--disable-sync"];
  return chromium.launch({
    executablePath: executablePath ?? "",
    args: ["--no-sandbox", "--disable-gpu", ...quiet, ...alone],
  });
}
