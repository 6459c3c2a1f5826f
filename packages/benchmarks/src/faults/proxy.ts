import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The network between workers and the database, which can be cut. */
export interface Line {
  /** The URL of the database by way of the proxy. */
  url: string;
  /** Cuts every connection at once. */
  cut(): void;
  /** Cuts every connection when the server answers next: what it has just done is not heard of. */
  cutAtAnswer(): void;
  close(): Promise<void>;
}

/** @param databaseUrl of a PostgreSQL that may come and go */
export async function startProxy(databaseUrl: string): Promise<Line> {
  const { hostname, port } = new URL(databaseUrl);
  const pairs = new Set<{ near: Socket; far: Socket; deaf: boolean }>();
  const server = createServer((near) => {
    const pair = { near, far: connect(Number(port), hostname), deaf: false };
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      pair.far.destroy();
    };
    pairs.add(pair);
    for (const socket of [near, pair.far]) {
      socket.setNoDelay(true);
      socket.on("error", end).on("close", end);
    }
    near.on("data", (chunk) => pair.far.write(chunk));
    pair.far.on("data", (chunk) => (pair.deaf ? end() : near.write(chunk)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);

  function cut(): void {
    for (const { near } of pairs) near.destroy();
  }
  return {
    url: url.href,
    cut,
    cutAtAnswer() {
      for (const pair of pairs) pair.deaf = true;
    },
    async close() {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}
