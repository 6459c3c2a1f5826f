import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The network between workers and the database, which can fail. */
export interface DatabaseProxy {
  /** The URL of the database through the proxy. */
  url: string;
  /** Closes every connection immediately. */
  cut(): void;
  /** Closes each connection instead of forwarding the server's next response: the client does not receive the result. */
  cutAtResponse(): void;
  /** Drops everything that is sent over the current connections, without closing them. The database notices it after 3 s. */
  silence(): void;
}

/** @param databaseUrl of a PostgreSQL that may stop and start again */
export async function startProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const pairs = new Set<{ client: Socket; database: Socket; dropsResponse: boolean; isSilent: boolean }>();
  const server = createServer((client) => {
    const pair = { client, database: connect(Number(port), hostname), dropsResponse: false, isSilent: false };
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      pair.database.destroy();
    };
    pairs.add(pair);
    for (const socket of [client, pair.database]) {
      socket.setNoDelay(true);
      socket.on("error", end).on("close", () => {
        if (!pair.isSilent) end();
      });
    }
    client.on("data", (chunk) => {
      if (!pair.isSilent) pair.database.write(chunk);
    });
    pair.database.on("data", (chunk) => {
      if (pair.dropsResponse) end();
      else if (!pair.isSilent) client.write(chunk);
    });
  });
  server.listen(0, "127.0.0.1");
  server.unref();
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut() {
      for (const { client } of pairs) client.destroy();
    },
    cutAtResponse() {
      for (const pair of pairs) pair.dropsResponse = true;
    },
    silence() {
      for (const pair of pairs) {
        pair.isSilent = true;
        // Its keepalive probes would reach a kernel that answers them.
        setTimeout(() => pair.database.destroy(), 3_000).unref();
      }
    },
  };
}
