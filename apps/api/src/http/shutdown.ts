import { once } from "node:events";
import { Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    /** Stops the server without losing a request. Resolves when the server is closed. */
    shutDown(): Promise<void>;
    /** Returns whether `shutDown` was called. The readiness check fails from then on. */
    isShuttingDown(): boolean;
  }
}

interface ShutdownOptions {
  /** Time after `shutDown` during which the server still accepts connections, in milliseconds. */
  delayMs: number;
  /** Time after `shutDown` when open connections are closed, in milliseconds. */
  timeoutMs: number;
}

/** Longest time that an idle connection stays open after the server has stopped accepting connections. */
const maxIdleMs = 3_000;
const checkEveryMs = 50;

/**
 * Adds `app.shutDown()`. For `delayMs`, requests are handled as usual and only the readiness check fails. Then the
 * server stops accepting connections, and every response closes its connection. Idle connections stay open for up to 3
 * s, because a proxy may have just sent a request on one of them. `app.close()` does the same without the delay.
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

  // Fastify sets this header for requests that arrive after closing began. This hook sets it for requests in progress.
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
    Server.prototype.close.call(server); // http.Server's own close() would close idle connections immediately.

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
