import { appsOperations } from "./apps/operations.ts";
import { auditLogOperations } from "./audit-log/operations.ts";
import type { ConsoleContext } from "./context.ts";
import { deliveryPagesOperations } from "./deliveries/operations.ts";
import { eventPagesOperations } from "./events/operations.ts";
import { linkOperations } from "./links/operations.ts";
import { overviewOperations } from "./overview/operations.ts";
import { requestOperations } from "./requests/operations.ts";
import { sessionOperations } from "./session/operations.ts";
import { usageOperations } from "./usage/operations.ts";
import { webhookOperations } from "./webhooks/operations.ts";

/** Returns the operations of all pages of the console. */
export function consoleOperations(context: ConsoleContext) {
  return {
    ...sessionOperations(context),
    ...overviewOperations(context),
    ...webhookOperations(context),
    ...deliveryPagesOperations(context),
    ...eventPagesOperations(context),
    ...requestOperations(context),
    ...linkOperations(context),
    ...appsOperations(context),
    ...auditLogOperations(context),
    ...usageOperations(context),
  };
}
