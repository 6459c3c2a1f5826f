import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = places.find((path) => existsSync(path));
if (!executablePath && process.env["CI"]) throw new Error("CI must have Chromium: .ci/run installs it");
if (!executablePath) console.warn("skipped: Chromium is not installed");

/** Whether Chromium is installed. In CI it must be. */
export const hasChromium: boolean = executablePath !== undefined;

/** Starts Chromium so that it works as root and sends no requests of its vendor. */
export function launchChromium(): Promise<Browser> {
  const quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking"];
  const noUpdates = ["--disable-component-update", "--disable-sync"];
  return chromium.launch({
    executablePath: executablePath ?? "",
    args: ["--no-sandbox", "--disable-gpu", ...quiet, ...noUpdates],
  });
}
