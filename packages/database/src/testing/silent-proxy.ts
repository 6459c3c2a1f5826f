import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Connections to a database through a network that can drop packets. */
export interface SilentProxy {
  url: string;
  /** Drops all packets of the connections that are open now. Neither end gets an error. */
  dropPackets(): void;
  close(): void;
}

export async function startSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets: Socket[] = [];
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname);
    incoming.pipe(outgoing).pipe(incoming);
    for (const socket of [incoming, outgoing]) {
      socket.on("error", () => undefined);
      sockets.push(socket);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    dropPackets() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
