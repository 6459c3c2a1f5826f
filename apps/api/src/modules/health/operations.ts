import type { Database } from "@parley/database";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../../http/api-error.ts";
import type { Operations } from "../../http/handlers.ts";

/** Returns why the server does not handle requests; null if it does. */
export async function readinessProblem(app: FastifyInstance, db: Database): Promise<string | null> {
  if (app.isShuttingDown()) return "the server is shutting down";
  return db.$queryRaw`SELECT 1`.then(
    () => null,
    () => "the database is unavailable",
  );
}

/**
 * Returns the health checks for load balancers and supervisors.
 *
 * @param problem returns the reason if another part of the process is not working; null if it is
 */
export function healthOperations(
  app: FastifyInstance,
  db: Database,
  problem: () => string | null,
): Operations<"checkLiveness" | "checkReadiness"> {
  return {
    checkLiveness: () => ({ status: "ok" }),

    async checkReadiness() {
      if (app.isShuttingDown()) {
        throw new ApiError(503, "server_error", "The server is shutting down.", { "retry-after": "5" });
      }
      await db.$queryRaw`SELECT 1`;
      const reason = problem();
      if (reason !== null) {
        const description = `The delivery worker has a problem: ${reason}.`;
        throw new ApiError(503, "server_error", description, { "retry-after": "5" });
      }
      return { status: "ok" };
    },
  };
}
