import { spawn } from "node:child_process";

/** Opens an http or https URL in the default browser. If there is none, nothing happens. */
export function openBrowser(url: string): void {
  const [program, ...args] = commandFor(process.platform);
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => {}); // The address is also printed.
  child.unref();
}

/** No shell is involved, so the characters of the URL have no meaning for one. */
function commandFor(platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"];
}
