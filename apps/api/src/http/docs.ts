import { existsSync } from "node:fs";
import { join } from "node:path";
import staticFiles from "@fastify/static";
import { contentSecurityPolicy } from "@parley/docs/content-security-policy";
import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { noRoute } from "./api-error.ts";

const folder = join(import.meta.dirname, "../../../docs/dist");

/** Serves the reference that apps/docs built under /docs. Without a build, logs a warning and serves nothing. */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  if (!existsSync(folder)) {
    app.log.warn({ folder }, "API reference not built: /docs/ is not served");
    return;
  }
  await app.register(async (docs) => {
    docs.setErrorHandler(notFoundForForbidden);
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

/** Replaces the 403 of @fastify/static for a path outside the folder by 404. The app's error handler sends what this one throws. */
function notFoundForForbidden(error: FastifyError, request: FastifyRequest): never {
  throw error.statusCode === 403 ? noRoute(request) : error;
}
