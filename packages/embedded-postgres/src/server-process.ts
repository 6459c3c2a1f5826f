import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import type { ServerUser } from "./server-user.ts";

/**
 * Shell script that starts a watcher and then replaces itself with the server. The watcher reads from a pipe that only
 * the parent writes to. A line means that the server has exited. If the pipe ends without a line, the parent has
 * exited, and the watcher stops the server. The watcher is a grandchild, because PostgreSQL does not expect children
 * that it did not start.
 */
const launchScript = `
  ( { read -r ended || kill -INT $$; } <&3 >/dev/null 2>&1 & )
  exec "$@" 3<&-
`;

/**
 * Starts the server; resolves once it accepts connections.
 *
 * @throws Error with the server's log if the server exits first
 */
export async function launchServer(
  command: string[],
  cwd: string,
  user: ServerUser | undefined,
  log: (line: string) => void = () => {},
): Promise<ChildProcess> {
  const server = spawn("/bin/sh", ["-c", launchScript, "sh", ...command], {
    ...user,
    cwd,
    env: { TZ: "UTC", LC_ALL: "C" },
    // A separate process session, so that Ctrl-C in the terminal reaches only the program, which then stops the server.
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const [output, lifeline] = [server.stdio[2], server.stdio[3]] as [Socket, Socket];
  server.once("exit", () => lifeline.end("\n"));
  lifeline.on("error", () => {}); // The watcher has ended.

  const lines: string[] = [];
  await new Promise<void>((resolve, reject) => {
    createInterface(output).on("line", (line) => {
      log(line);
      if (line.endsWith("database system is ready to accept connections")) resolve();
      else if (lines.length < 100) lines.push(line);
    });
    server.once("error", reject);
    server.once("close", () => reject(new Error(`PostgreSQL did not start:\n${lines.join("\n")}`)));
  });
  // The server must not keep the program alive.
  for (const handle of [server, output, lifeline]) handle.unref();
  return server;
}

/** Shuts the server down fast: disconnects clients and rolls back their transactions. Resolves when it has ended. */
export async function shutDown(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, "exit");
  server.ref();
  server.kill("SIGINT");
  await exited;
}
