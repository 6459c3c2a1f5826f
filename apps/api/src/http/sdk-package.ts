import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";

const file = join(import.meta.dirname, "../../../../packages/sdk/parley-sdk.tgz");

/**
 * Serves the npm package of the SDK that matches this server, for `npm install {base URL}/sdk.tgz`. Without a build, logs a
 * warning and serves nothing.
 */
export function serveSdkPackage(app: FastifyInstance): void {
  if (!existsSync(file)) {
    app.log.warn({ file }, "SDK package not built: /sdk.tgz is not served");
    return;
  }
  app.get("/sdk.tgz", (_request, reply) => reply.type("application/gzip").send(createReadStream(file)));
}
