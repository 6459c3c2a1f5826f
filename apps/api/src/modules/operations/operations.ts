import type { Database } from "@parley/database";
import type { Operations } from "../../http/handlers.ts";

/** What a load balancer or supervisor asks. */
export function healthOperations(db: Database): Operations<"checkHealth" | "checkReadiness"> {
  return {
    checkHealth: () => ({ status: "ok" }),

    async checkReadiness() {
      await db.$queryRaw`SELECT 1`;
      return { status: "ok" };
    },
  };
}
