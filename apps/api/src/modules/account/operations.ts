import type { Database } from "@parley/database";
import { callerOf } from "../../http/caller.ts";
import { item } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";

export function accountOperations(db: Database): Operations<"getMe"> {
  return {
    async getMe(request) {
      const caller = callerOf(request);
      const { user, client } = await db.oAuthGrant.findUniqueOrThrow({
        where: { id: caller.grantId, organizationId: caller.organizationId },
        select: {
          user: { select: { id: true, name: true, email: true } },
          client: { select: { id: true, name: true } },
        },
      });
      const { organizationId, organizationName, plan, scopes } = caller;
      return item({
        id: organizationId,
        type: "organization",
        attributes: { name: organizationName, plan, user, client, scopes },
      });
    },
  };
}
