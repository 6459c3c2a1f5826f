import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";

const file = join(import.meta.dirname, "../../../../packages/sdk/parley-sdk.tgz");

/**
 * Serves the npm package of the SDK that fits this server, for `npm install {base URL}/sdk.tgz`. Without a build there
 * is none, and the log says so.
 */
export function serveSdkPackage(app: FastifyInstance): void {
  if (!existsSync(file)) {
    app.log.warn({ file }, "the package of the SDK was not built; /sdk.tgz is not served");
    return;
  }
  app.get("/sdk.tgz", (_request, reply) => reply.type("application/gzip").send(createReadStream(file)));
}
