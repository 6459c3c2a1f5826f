import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../../..");
const releases = join(tmpdir(), "parley-releases");

/** Commit of the release from which the upgrade is tested: the first one whose migrations are never edited. */
export const baseline = "436b4c5f8f78eaeb66d26fa634cb68afe6040dde";

/**
 * Returns a folder with a built checkout of a commit. Building takes about two minutes, and only the first time.
 *
 * @throws Error if the history of the repository does not reach back to the commit
 */
export function checkoutOf(commit: string): string {
  const folder = join(releases, commit);
  if (existsSync(folder)) return folder;
  const building = `${folder}.${process.pid}`;
  mkdirSync(building, { recursive: true });
  try {
    const archive = execFileSync("git", ["archive", commit], { cwd: repository, maxBuffer: 1e9 });
    execFileSync("tar", ["-x"], { cwd: building, input: archive });
    const pnpm = ["-y", "--prefer-offline", "pnpm@12.21.0"];
    const quiet = { cwd: building, stdio: "pipe" } as const;
    execFileSync("npx", [...pnpm, "install", "--frozen-lockfile", "--prefer-offline"], quiet);
    execFileSync("npm", ["run", "build"], quiet);
    renameSync(building, folder);
  } catch (error) {
    rmSync(building, { recursive: true, force: true });
    throw new Error(`The release ${commit} cannot be built. In a shallow clone, run: git fetch --unshallow`, {
      cause: error,
    });
  }
  return folder;
}
