import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { acceptsConnections, startServerProcess } from "./server-process.ts";

const documented = join(import.meta.dirname, "../../../deploy/pgbouncer/pgbouncer.ini");

/**
 * Starts PgBouncer with the documented configuration, in transaction mode.
 *
 * @param program path of PgBouncer
 * @param directUrl URL of the database
 */
export async function startPgBouncer(
  program: string,
  directUrl: string,
  timeZone = "UTC",
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "parley-pgbouncer-"));
  const port = await freePort();
  const { hostname, port: serverPort, username, password, pathname } = new URL(directUrl);
  const database = decodeURIComponent(pathname.slice(1));
  const name = decodeURIComponent(username);
  const users = join(folder, "userlist.txt");
  writeFileSync(users, `"${name}" "${decodeURIComponent(password)}"\n`);
  const config = join(folder, "pgbouncer.ini");
  writeFileSync(
    config,
    readFileSync(documented, "utf8")
      .replace(
        /^parley = .*$/m,
        `${database} = host=${hostname} port=${serverPort} dbname=${database} timezone=${timeZone}`,
      )
      .replace(/^listen_addr = .*$/m, "listen_addr = 127.0.0.1")
      .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
      .replace(/^auth_file = .*$/m, `auth_file = ${users}`),
  );
  const url = new URL(directUrl);
  url.port = String(port);
  const server = await startServerProcess({
    command: [program, ...asOrdinaryUser(folder, [users, config]), config],
    isReady: () => acceptsConnections(port),
  });
  return {
    url: url.href,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PgBouncer refuses to run as root. Returns the option with which root starts it as another user. */
function asOrdinaryUser(folder: string, files: string[]): string[] {
  if (process.getuid?.() !== 0) return [];
  chmodSync(folder, 0o755);
  execFileSync("chown", ["nobody", ...files]);
  return ["-u", "nobody"];
}
