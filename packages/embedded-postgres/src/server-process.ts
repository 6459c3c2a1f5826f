import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import type { ServerUser } from "./server-user.ts";

/**
 * The shell becomes the server. Before, it leaves a watcher behind that reads from a pipe which only the parent
 * holds: a line means that the server has ended, the pipe's end that the parent has, and then the server must too.
 * The watcher is a grandchild, since PostgreSQL is startled by children that it did not start.
 */
const becomeServer = `
  ( { read -r ended || kill -INT $$; } <&3 >/dev/null 2>&1 & )
  exec "$@" 3<&-
`;

/**
 * Starts the server; resolves when it accepts connections.
 *
 * @throws the server's last words if it ends before.
 */
export async function launchServer(
  command: string[],
  cwd: string,
  user: ServerUser | undefined,
  log: (line: string) => void = () => {},
): Promise<ChildProcess> {
  const server = spawn("/bin/sh", ["-c", becomeServer, "sh", ...command], {
    ...user,
    cwd,
    env: { TZ: "UTC", LC_ALL: "C" },
    // A session of its own: Ctrl-C in the terminal is for the program, which stops its server in its own time.
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const [output, lifeline] = [server.stdio[2], server.stdio[3]] as [Socket, Socket];
  server.once("exit", () => lifeline.end("\n"));
  lifeline.on("error", () => {}); // The watcher is gone: nobody needs the line.

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
  // The server must not keep a program alive that has nothing left to do.
  for (const handle of [server, output, lifeline]) handle.unref();
  return server;
}

/** Fast shutdown: clients are disconnected, their transactions rolled back. Resolves when the server is gone. */
export async function shutDown(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, "exit");
  server.ref();
  server.kill("SIGINT");
  await exited;
}
