import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";

const packages = join(import.meta.dirname, "../../../../packages");

/** Files of the npm packages, by path. */
const files: Record<string, string> = {
  "/sdk.tgz": join(packages, "sdk/parley-sdk.tgz"),
  "/cli.tgz": join(packages, "cli/parley-cli.tgz"),
};

/**
 * Serves the npm packages that match this server, for `npm install {base URL}/sdk.tgz`. For a package that was not built, logs
 * a warning and serves nothing.
 */
export function serveNpmPackages(app: FastifyInstance): void {
  for (const [path, file] of Object.entries(files)) {
    if (existsSync(file)) {
      app.get(path, (_request, reply) => reply.type("application/gzip").send(createReadStream(file)));
    } else {
      app.log.warn({ file }, `npm package not built: ${path} is not served`);
    }
  }
}
