import { once } from "node:events";
import { statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { findBinaries } from "./binaries.ts";
import { clusterPlace, ensureCluster, readPassword, superuserUrl } from "./cluster.ts";
import { openDataFolder } from "./data-folder.ts";
import { birthmark, endOrphan } from "./running-server.ts";
import { launchServer, shutDown } from "./server-process.ts";
import { serverUserFor } from "./server-user.ts";

interface StartOptions {
  /** Keeps the data over restarts; is created if need be. The server's own files are in `<dataDir>/postgres`. */
  dataDir: string;
  /** TCP port on 127.0.0.1; a free one is chosen otherwise. */
  port?: number;
  /** Receives the server's log, line by line. */
  log?: (line: string) => void;
  /** `false` trades survival of a system crash for speed: for tests only. */
  durable?: boolean;
}

export interface RunningPostgres {
  /** Connection string of the superuser, with its password, for the database `postgres`. */
  url: string;
  /** Resolves when the server is gone, whoever ended it. */
  ended: Promise<void>;
  /** Disconnects the clients and shuts the server down; resolves when it is gone. May be called repeatedly. */
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL 18 that belongs to this process and ends with it, even if the process is killed.
 * It listens on 127.0.0.1 alone and asks everyone for a random password.
 *
 * @throws if the folder cannot hold data or another process uses it, if the platform has no PostgreSQL, or with the server's own words.
 */
export async function startPostgres(options: StartOptions): Promise<RunningPostgres> {
  const { dataDir, durable = true, log } = options;
  const folder = join(openDataFolder(dataDir), "postgres");
  const user = serverUserFor(folder);
  const binaries = await findBinaries(user);
  refuseForeign(folder);
  await endOrphan(folder);
  ensureCluster(folder, binaries, user, durable);

  const { cwd, argument } = clusterPlace(folder, user);
  const port = options.port ?? (await freePort());
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    log_checkpoints: "off",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = [binaries.postgres, "-D", argument, ...birthmark(folder), ...flags];
  const server = await launchServer(command, cwd, user, log).catch(async (error: unknown) => {
    await endOrphan(folder); // Tells of a twin that was faster.
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

/** Whoever ran the server before may be somebody else, whose files are closed to us. */
function refuseForeign(folder: string): void {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  const mine = process.getuid?.();
  if (owner === undefined || mine === 0 || owner === mine) return;
  throw new Error(
    `The data folder ${folder} belongs to another user (number ${owner}). Set DATA_DIR to another folder.`,
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
