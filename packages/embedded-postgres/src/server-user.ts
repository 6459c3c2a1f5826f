import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Given to `spawn`: who the server runs as. */
export interface ServerUser {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root. So root hands the server to the owner of the folder (or of the folder it will
 * be made in): that way `sudo npm start` in someone's checkout leaves a database which that person can use without
 * sudo. Where this is root as well, a system user takes it. Everybody else runs the server as themselves: `undefined`.
 *
 * @throws where root finds no user to hand the server to.
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
    "PostgreSQL does not run as root, and there is no user named postgres or nobody to run it as.",
  );
}

function lookUp(user: string | number): ServerUser | undefined {
  if (user === 0) return undefined;
  // initdb refuses a user without a name, which the owner of a folder in a container may be: `id -u <number>` does too.
  const id = (flag: string) =>
    Number(execFileSync("id", [flag, String(user)], { stdio: ["ignore", "pipe", "ignore"] }));
  try {
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return undefined;
  }
}
