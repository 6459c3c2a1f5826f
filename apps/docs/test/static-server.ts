import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { contentSecurityPolicy } from "../src/content-security-policy.ts";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".yaml": "application/yaml",
};

/** Serves a folder under /docs/ on a free loopback port, pages without their extension, with a Content-Security-Policy. */
export async function serve(
  folder: string,
  policy: string = contentSecurityPolicy,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const [, path = ""] = /^\/docs\/((?:[\w-][\w./-]*)?)$/.exec(request.url ?? "") ?? [];
    const name = path === "" ? "index" : path;
    const file = extname(name) in types ? name : `${name}.html`;
    try {
      const content = readFileSync(join(folder, file));
      const type = types[extname(file)] ?? "application/octet-stream";
      response.writeHead(200, {
        "content-type": type,
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
      });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}
