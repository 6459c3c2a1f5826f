import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { readPassword, superuserUrl } from "./cluster.ts";
import { ownerOf } from "./running-server.ts";

/**
 * The connection string of the embedded server that another process runs on a data folder.
 *
 * @returns undefined where none runs
 * @throws where the folder is closed to this user
 */
export function findRunningPostgres(dataDir: string): string | undefined {
  try {
    const folder = join(realpathSync(dataDir), "postgres");
    const [pid, , , port] = readFileSync(join(folder, "cluster/postmaster.pid"), "utf8").split("\n");
    if (ownerOf(Number(pid), folder) === undefined) return undefined; // Left by a crash.
    return superuserUrl(readPassword(folder), Number(port));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code !== "EACCES" && code !== "EPERM") throw error;
    throw new Error(`The data folder ${dataDir} belongs to another user: run this as that user, or as root.`);
  }
}
