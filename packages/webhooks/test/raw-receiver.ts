import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface RawReceiver {
  /** `127.0.0.1:port` */
  host: string;
  /** Data received on each connection. */
  received: string[];
  /** Open connections. */
  open(): number;
  /** Resumes reading from paused connections. */
  resume(): void;
  close(): Promise<void>;
}

/** Receiver without an HTTP implementation: the test decides what it sends, and when. */
export async function startRawReceiver(connected: (socket: Socket) => void): Promise<RawReceiver> {
  const sockets = new Set<Socket>();
  const received: string[] = [];
  const server = createServer((socket) => {
    const number = received.push("") - 1;
    sockets.add(socket);
    socket.on("data", (chunk) => (received[number] += chunk.toString("latin1")));
    socket.on("error", () => {}); // The connection is aborted.
    socket.on("close", () => sockets.delete(socket));
    connected(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    open: () => sockets.size,
    resume() {
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Sends data repeatedly until the connection ends or a number of bytes is sent. */
export function repeat(socket: Socket, text: string | Buffer, everyMs: number, limit = Infinity): void {
  let said = 0;
  const timer = setInterval(() => {
    if (said >= limit) return clearInterval(timer);
    if (socket.writableLength > 1024 * 1024) return;
    said += text.length;
    socket.write(text);
  }, everyMs);
  socket.on("close", () => clearInterval(timer));
}
