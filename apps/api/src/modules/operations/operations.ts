import type { Database } from "@parley/database";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../../http/api-error.ts";
import type { Operations } from "../../http/handlers.ts";

/** What a load balancer or supervisor asks. */
export function healthOperations(
  app: FastifyInstance,
  db: Database,
): Operations<"checkHealth" | "checkReadiness"> {
  return {
    checkHealth: () => ({ status: "ok" }),

    async checkReadiness() {
      if (app.isShuttingDown()) {
        throw new ApiError(503, "server_error", "The server is shutting down.", { "retry-after": "5" });
      }
      await db.$queryRaw`SELECT 1`;
      return { status: "ok" };
    },
  };
}
