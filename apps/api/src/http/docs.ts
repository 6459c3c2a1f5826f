import { existsSync } from "node:fs";
import { join } from "node:path";
import staticFiles from "@fastify/static";
import { contentSecurityPolicy } from "@parley/docs/content-security-policy";
import type { FastifyError, FastifyInstance } from "fastify";
import { ApiError } from "./api-error.ts";

const folder = join(import.meta.dirname, "../../../docs/dist");

/** The reference under /docs, as apps/docs built it. Without a build there is none, and the log says so. */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  if (!existsSync(folder)) {
    app.log.warn({ folder }, "the API reference was not built; /docs is empty");
    return;
  }
  await app.register(async (docs) => {
    docs.setErrorHandler(hideRefusals);
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

/** Turns the 403 of @fastify/static for a path outside the folder into 404. The app's error handler answers what this one throws. */
function hideRefusals(error: FastifyError): never {
  throw error.statusCode === 403 ? new ApiError(404, "not_found", "There is nothing here.") : error;
}
