import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";

export interface MetricsServer {
  /** Where it listens, for example `http://127.0.0.1:9464`. */
  url: string;
  stop(): Promise<void>;
}

/** Serves `GET /metrics` in Prometheus' text format, on a port of the operator's that needs no token. */
export async function serveMetrics(registry: Registry, host: string, port: number): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url?.split("?")[0] !== "/metrics") {
      response.writeHead(404, { "content-type": "text/plain" }).end("The metrics are at GET /metrics.\n");
      return;
    }
    registry
      .metrics()
      .then((text) => response.writeHead(200, { "content-type": registry.contentType }).end(text))
      .catch(() =>
        response.writeHead(500, { "content-type": "text/plain" }).end("The metrics cannot be read.\n"),
      );
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
