import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Where a Chromium of the machine is; undefined when there is none. */
export const chromiumPath = places.find((path) => existsSync(path));

/** Starts it so that it works as root, and asks the network for nothing by itself. */
export function launchChromium(executablePath: string): Promise<Browser> {
  const quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking"];
  const alone = ["--disable-component-update", "--disable-sync"];
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", ...quiet, ...alone] });
}
