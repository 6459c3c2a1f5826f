import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Shows in the browser whether the user is signed in. */
export type Respond = (signedIn: boolean) => void;

/** Server on the loopback interface to which the browser is redirected (RFC 8252, section 7.3). */
export interface RedirectServer {
  readonly redirectUri: string;
  close(): void;
}

const path = "/callback";

/**
 * Starts the server on a free port of 127.0.0.1.
 *
 * @param handle handles each redirect, with the path and query of its request
 */
export async function startRedirectServer(
  handle: (url: string, respond: Respond) => void,
): Promise<RedirectServer> {
  const server = createServer((request, response) => {
    const url = request.url ?? "";
    if (request.method !== "GET" || !url.startsWith(`${path}?`))
      return send(response, 404, "Page not found.");
    handle(url, (signedIn) => send(response, signedIn ? 200 : 400, signedIn ? success : failure));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    redirectUri: `http://127.0.0.1:${port}${path}`,
    close() {
      server.close();
      // Browsers open connections in advance, which would keep the process alive.
      setTimeout(() => server.closeAllConnections(), 500).unref();
    },
  };
}

const success = "You are signed in. You can close this window and return to the terminal.";
const failure = "You are not signed in. Return to the terminal.";

function send(response: ServerResponse, status: number, text: string): void {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Parley</title><style>body{font:18px/1.5 system-ui;max-width:32rem;margin:20vh auto;padding:0 1rem}</style><p>${text}</p></html>`;
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(page);
}
