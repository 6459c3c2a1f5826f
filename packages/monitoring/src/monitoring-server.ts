import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";

interface MonitoringServer {
  /** Address, for example `http://127.0.0.1:9464`. */
  url: string;
  stop(): Promise<void>;
}

/** Returns the reason if a part of the process is not working; null if it is. */
export type Check = () => string | null | Promise<string | null>;

interface Monitored {
  registry: Registry;
  problem: Check;
}

/**
 * Serves monitoring endpoints without authentication: `GET /metrics` for Prometheus, `GET /healthz` for liveness, and `GET /readyz`,
 * which returns 503 and the reason while the process has a problem.
 */
export async function serveMonitoring(
  { registry, problem }: Monitored,
  host: string,
  port: number,
): Promise<MonitoringServer> {
  const pages: Record<string, (response: ServerResponse) => Promise<void>> = {
    async "/metrics"(response) {
      const text = await registry.metrics();
      response.writeHead(200, { "content-type": registry.contentType }).end(text);
    },
    async "/healthz"(response) {
      send(response, 200, "ok");
    },
    async "/readyz"(response) {
      const reason = await problem();
      send(response, reason === null ? 200 : 503, reason ?? "ok");
    },
  };
  const server = createServer((request, response) => {
    const page = request.method === "GET" ? pages[request.url?.split("?")[0] ?? ""] : undefined;
    if (!page)
      return send(response, 404, `No route matches. Available: GET ${Object.keys(pages).join(", GET ")}.`);
    page(response).catch(() => send(response, 500, "Reading the metrics failed."));
  });
  await listen(server, host, port);
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** @throws Error that names the variables, because the process listens on another port too */
async function listen(server: ReturnType<typeof createServer>, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const { message } = error as Error;
    throw new Error(
      `METRICS_PORT ${port} on METRICS_HOST ${host} cannot be used: ${message}. Each process needs a different port.`,
      { cause: error },
    );
  }
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
}
