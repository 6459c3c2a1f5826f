import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Waits on a pipe that only the owner holds, so that it notices when the owner exits or is killed. Servers of the owner may
 * need a moment to stop.
 */
const removeAfterOwner = `
  read -r never
  for attempt in 1 2 3 4 5 6 7 8 9 10; do
    sleep 0.2
    rm -rf -- "$1" && exit
  done
`;

/** Creates a temporary folder that is removed when this process ends, even if it is killed. */
export function makeTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-test-"));
  const janitor = spawn("/bin/sh", ["-c", removeAfterOwner, "sh", folder], {
    cwd: "/",
    detached: true, // Ctrl-C must not stop it.
    stdio: ["pipe", "ignore", "ignore"],
  });
  janitor.unref();
  (janitor.stdin as Socket).unref();
  return folder;
}
