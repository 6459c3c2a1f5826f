import { once } from "node:events";
import { statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { findBinaries } from "./binaries.ts";
import { clusterFolder, ensureCluster, readPassword, superuserUrl } from "./cluster.ts";
import { openDataFolder } from "./data-folder.ts";
import { endOrphan, identifyingSettings } from "./running-server.ts";
import { launchServer, shutDown } from "./server-process.ts";
import { serverUserFor } from "./server-user.ts";

interface StartOptions {
  /** Data folder; created if it does not exist. The server's files are in `<dataDir>/postgres`. */
  dataDir: string;
  /** TCP port on 127.0.0.1. Default: a free port. */
  port?: number;
  /** Receives the server's log, line by line. */
  log?: (line: string) => void;
  /** `false` disables fsync for speed, only for tests. Default: true. */
  durable?: boolean;
  /** Most connections at once. Default: that of PostgreSQL, 100. */
  maxConnections?: number;
}

export interface RunningPostgres {
  /** Connection string of the superuser, with its password, for the database `postgres`. */
  url: string;
  /** Resolves when the server has ended, for any reason. */
  ended: Promise<void>;
  /**
   * Disconnects the clients and stops the server. Resolves when the server has ended. You can call it several times.
   */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL 18 server that ends with this process, even if the process is killed. It listens only on 127.0.0.1 and requires
 * a random password.
 *
 * @throws Error if the folder is not writable or in use, the platform has no PostgreSQL, or the server does not start
 */
export async function startPostgres(options: StartOptions): Promise<RunningPostgres> {
  const { dataDir, durable = true, maxConnections, log } = options;
  const folder = join(openDataFolder(dataDir), "postgres");
  const user = serverUserFor(folder);
  const binaries = await findBinaries(user);
  requireOwnFolder(folder);
  await endOrphan(folder);
  ensureCluster(folder, binaries, user, durable);

  const { cwd, argument } = clusterFolder(folder, user);
  const port = options.port ?? (await freePort());
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    log_checkpoints: "off",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    ...(maxConnections && { max_connections: maxConnections }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = [binaries.postgres, "-D", argument, ...identifyingSettings(folder), ...flags];
  const server = await launchServer(command, cwd, user, log).catch(async (error: unknown) => {
    await endOrphan(folder); // Throws if another process started a server first.
    throw error;
  });

  let stopped: Promise<void> | undefined;
  return {
    url: superuserUrl(readPassword(folder), port),
    ended: once(server, "exit").then(() => undefined),
    stop() {
      stopped ??= shutDown(server);
      return stopped;
    },
  };
}

/** Requires the folder to belong to this user, because files of another user are not readable. */
function requireOwnFolder(folder: string): void {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  const mine = process.getuid?.();
  if (owner === undefined || mine === 0 || owner === mine) return;
  throw new Error(
    `The data folder ${folder} belongs to another user (ID ${owner}). Set DATA_DIR to another folder.`,
  );
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === "string") throw new Error("No free port was found.");
  return address.port;
}
