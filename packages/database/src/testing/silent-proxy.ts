import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Time after which a server with Parley's keepalives closes a connection whose client does not respond, in milliseconds. */
const keepaliveMs = 3_000;

/** Connections to a database through a network that can drop packets. */
export interface SilentProxy {
  url: string;
  /** Drops all packets of the connections that are open now. Clients get no error. The server ends them, as it does because of keepalives. */
  dropPackets(): void;
  close(): void;
}

export async function startSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const connections: { incoming: Socket; outgoing: Socket }[] = [];
  const timers: NodeJS.Timeout[] = [];
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname);
    incoming.pipe(outgoing).pipe(incoming);
    for (const socket of [incoming, outgoing]) socket.on("error", () => undefined);
    connections.push({ incoming, outgoing });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    dropPackets() {
      for (const { incoming, outgoing } of connections) {
        incoming.unpipe().pause();
        outgoing.unpipe().pause();
        timers.push(setTimeout(() => outgoing.resetAndDestroy(), keepaliveMs));
      }
    },
    close() {
      for (const timer of timers) clearTimeout(timer);
      for (const { incoming, outgoing } of connections) {
        incoming.destroy();
        outgoing.destroy();
      }
      server.close();
    },
  };
}
