import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** User that the server runs as, for `spawn`. */
export interface ServerUser {
  uid: number;
  gid: number;
}

/**
 * Returns the user that the server runs as; undefined for the current user. PostgreSQL does not run as root, so root uses the owner of
 * the folder or of its nearest existing parent: after `sudo npm start` in a user's repository, that user can use the database without
 * sudo. If root owns it, a system user is used.
 *
 * @throws Error if root finds no such user
 */
export function serverUserFor(folder: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  for (const name of [statSync(existing).uid, "postgres", "_postgres", "nobody"]) {
    const user = lookUp(name);
    if (user !== undefined && user.uid !== 0) return user;
  }
  throw new Error(
    "PostgreSQL does not run as root, and there is neither a user `postgres` nor a user `nobody`. Start Parley as another user than root.",
  );
}

function lookUp(user: string | number): ServerUser | undefined {
  if (user === 0) return undefined;
  // In a container, the owner may have no name. initdb rejects such a user, and so does `id -u <number>`.
  const id = (flag: string) =>
    Number(execFileSync("id", [flag, String(user)], { stdio: ["ignore", "pipe", "ignore"] }));
  try {
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return undefined;
  }
}
