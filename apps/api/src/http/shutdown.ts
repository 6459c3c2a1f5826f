import { once } from "node:events";
import { Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    /** Stops the server without losing a request; resolves when it is closed. */
    shutDown(): Promise<void>;
    /** Whether `shutDown` was called: readiness says so to load balancers. */
    isShuttingDown(): boolean;
  }
}

interface ShutdownOptions {
  /** How long the server still accepts connections after `shutDown`. */
  delayMs: number;
  /** When connections are cut off, counted from `shutDown`. */
  timeoutMs: number;
}

/** Longest time that an idle connection stays open after the server stopped accepting. */
const maxIdleMs = 3_000;
const checkEveryMs = 50;

/**
 * Adds `app.shutDown()`. For `delayMs` requests are answered as usual, only readiness fails. Then the server stops accepting
 * connections, and every answer closes its connection. Idle connections stay open for a moment: a proxy may have sent
 * a request on one of them already, or closes it itself. `app.close()` does all this without the delay.
 */
export function shutDownGracefully(app: FastifyInstance, { delayMs, timeoutMs }: ShutdownOptions): void {
  const idleMs = Math.min(delayMs, maxIdleMs);
  let begunAt: number | undefined;
  let closing = false;
  let inProgress = 0;

  app.server.on("request", (_request, response) => {
    inProgress += 1;
    response.once("close", () => (inProgress -= 1));
  });

  app.decorate("isShuttingDown", () => begunAt !== undefined);
  app.decorate("shutDown", async () => {
    begunAt = Date.now();
    app.log.info({ delayMs }, "shutting down");
    await sleep(Math.min(delayMs, timeoutMs));
    await app.close();
  });

  // Fastify does so for requests that arrive from now on; these are in progress already.
  app.addHook("onSend", async (_request, reply) => {
    if (closing) reply.header("connection", "close");
  });

  app.addHook("preClose", async () => {
    closing = true;
    const { server } = app;
    if (!server.listening) return;
    const now = Date.now();
    const deadline = (begunAt ?? now) + timeoutMs;
    const closed = once(server, "close");
    Server.prototype.close.call(server); // That of http.Server would close idle connections at once.

    function closeConnections(): void {
      const isIdleTimeOver = Date.now() >= now + idleMs;
      if (Date.now() >= deadline || (isIdleTimeOver && inProgress === 0)) server.closeAllConnections();
      else if (isIdleTimeOver) server.closeIdleConnections();
    }
    closeConnections();
    const timer = setInterval(closeConnections, checkEveryMs);
    await closed;
    clearInterval(timer);
  });
}
