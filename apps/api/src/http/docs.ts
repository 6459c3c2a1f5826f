import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import staticFiles from "@fastify/static";
import { description } from "@parley/contract";
import { contentSecurityPolicy } from "@parley/docs/content-security-policy";
import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { noRoute } from "./api-error.ts";

const folder = join(import.meta.dirname, "../../../docs/dist");

/**
 * Serves the reference that apps/docs built under /docs. Without a build, it logs a warning and serves nothing.
 *
 * @param baseUrl returns the server's own address, which the served OpenAPI description names
 */
export async function serveDocs(app: FastifyInstance, baseUrl: () => string): Promise<void> {
  if (!existsSync(folder)) {
    app.log.warn({ folder }, "API reference not built: /docs/ is not served");
    return;
  }
  await app.register(async (docs) => {
    docs.setErrorHandler(notFoundForForbidden);
    for (const [name, type] of descriptions) {
      const text = readFileSync(join(folder, name), "utf8");
      docs.get(`/docs/${name}`, (_request, reply) =>
        reply.type(type).header("x-content-type-options", "nosniff").send(withAddress(text, baseUrl())),
      );
    }
    await docs.register(staticFiles, {
      root: folder,
      prefix: "/docs",
      redirect: true,
      preCompressed: true,
      setHeaders(reply) {
        reply.header("content-security-policy", contentSecurityPolicy);
        reply.header("x-content-type-options", "nosniff");
        reply.header("referrer-policy", "no-referrer");
      },
    });
  });
}

/** Replaces the address of the local demo, which the description in the repository contains. */
function withAddress(text: string, address: string): string {
  return description.servers.reduce((result, { url }) => result.replaceAll(url, address), text);
}

const descriptions = [
  ["openapi.json", "application/json; charset=utf-8"],
  ["openapi.yaml", "application/yaml; charset=utf-8"],
] as const;

/**
 * Replaces the 403 of @fastify/static for a path outside the folder with a 404. The error handler of the app sends the
 * error that this handler throws.
 */
function notFoundForForbidden(error: FastifyError, request: FastifyRequest): never {
  throw error.statusCode === 403 ? noRoute(request) : error;
}
