import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** Proxy in front of a database server, so that a test can make the database unavailable and available again. */
export interface DatabaseProxy {
  /** Connection string of the database through the proxy. */
  url: string;
  /** Closes all connections and refuses new ones. */
  disconnect(): Promise<void>;
  /** Accepts connections again. */
  reconnect(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const database = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  async function listen(port: number): Promise<Server> {
    const server = createServer((client) => {
      const upstream = connect(Number(database.port), database.hostname);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(from);
        from.on("error", () => undefined); // "close" follows.
        from.on("close", () => {
          sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    });
    await once(server.listen(port, "127.0.0.1"), "listening");
    return server;
  }
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    async disconnect() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async reconnect() {
      server = await listen(port);
    },
  };
}
