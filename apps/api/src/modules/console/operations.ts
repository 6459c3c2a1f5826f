import { appsOperations } from "./apps/operations.ts";
import type { ConsoleContext } from "./context.ts";
import { linkOperations } from "./links/operations.ts";
import { sessionOperations } from "./session/operations.ts";

/** Returns the operations of all pages of the console. */
export function consoleOperations(context: ConsoleContext) {
  return {
    ...sessionOperations(context),
    ...linkOperations(context),
    ...appsOperations(context),
  };
}
