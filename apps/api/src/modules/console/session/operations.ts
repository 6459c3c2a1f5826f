import type { Operations } from "../../../http/handlers.ts";
import { checkedSecret, signIn, signOut } from "../../oauth/sessions/browser-session.ts";
import { pageOfConsole } from "../addresses.ts";
import type { ConsoleContext } from "../context.ts";

/** Returns the operation that signs users in and out. */
export function sessionOperations(context: ConsoleContext): Operations<"submitConsoleSession"> {
  return {
    async submitConsoleSession(request, reply) {
      const secret = checkedSecret(context, request);
      const { action, return_to: returnTo = "" } = request.body;
      if (action === "sign_in") await signIn(context, request, reply, secret);
      else await signOut(context, request, reply, secret);
      return reply.redirect(pageOfConsole(returnTo), 303);
    },
  };
}
