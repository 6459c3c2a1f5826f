import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Waits on a pipe which only the owner holds, so that it notices the owner's end however that comes about. Servers of
 * the owner may need a moment to follow it.
 */
const removeAfterOwner = `
  read -r never
  for attempt in 1 2 3 4 5 6 7 8 9 10; do
    sleep 0.2
    rm -rf -- "$1" && exit
  done
`;

/** A new temporary folder, which vanishes with this process, even if it is killed. */
export function makeTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-test-"));
  const janitor = spawn("/bin/sh", ["-c", removeAfterOwner, "sh", folder], {
    cwd: "/",
    detached: true, // Ctrl-C is for the others.
    stdio: ["pipe", "ignore", "ignore"],
  });
  janitor.unref();
  (janitor.stdin as Socket).unref();
  return folder;
}
