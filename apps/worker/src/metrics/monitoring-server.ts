import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";

interface MonitoringServer {
  /** Address, for example `http://127.0.0.1:9464`. */
  url: string;
  stop(): Promise<void>;
}

interface Monitored {
  registry: Registry;
  /** Returns the reason if the worker does not deliver; null if it does. */
  problem: () => string | null;
}

/**
 * Serves monitoring endpoints without authentication: `GET /metrics` for Prometheus, `GET /healthz` for liveness, and `GET /readyz`,
 * which returns 503 and the reason while the worker does not deliver.
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
      const reason = problem();
      send(response, reason === null ? 200 : 503, reason ?? "ok");
    },
  };
  const server = createServer((request, response) => {
    const page = request.method === "GET" ? pages[request.url?.split("?")[0] ?? ""] : undefined;
    if (!page)
      return send(response, 404, `No route matches. Available: GET ${Object.keys(pages).join(", GET ")}.`);
    page(response).catch(() => send(response, 500, "Reading the metrics failed."));
  });
  server.listen(port, host);
  await once(server, "listening");
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

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
}
