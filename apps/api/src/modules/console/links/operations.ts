import { invalidField } from "../../../http/api-error.ts";
import { item } from "../../../http/envelope.ts";
import type { Operations } from "../../../http/handlers.ts";
import { linkSessionLifetime } from "../../oauth/lifetimes.ts";
import { sendPage } from "../../oauth/pages/page.ts";
import { endSession } from "../../oauth/sessions/sessions.ts";
import { requireOrganization } from "../../platform/write.ts";
import { findPageOfConsole, linkAddress, overviewAddress } from "../addresses.ts";
import type { ConsoleContext } from "../context.ts";
import { createLink, findReturnAddress, openLink } from "./console-links.ts";
import { invalidLinkPage } from "./invalid-link-page.ts";

/** Returns the operations of console links: a platform creates a link, and a browser opens it. */
export function linkOperations(context: ConsoleContext): Operations<"createConsoleLink" | "openConsoleLink"> {
  const { db, clock, baseUrl, sessionCookie } = context;
  const now = () => new Date(clock());
  return {
    async createConsoleLink(request, reply) {
      const organizationId = await requireOrganization(db, request.params.organization_id);
      const { role, name = "Platform user", external_id: externalId = null } = request.body;
      const { return_to: wanted = overviewAddress, expires_in: seconds = 300 } = request.body;
      const returnTo = findPageOfConsole(wanted);
      if (returnTo === undefined) throw invalidField("body/return_to", "must be a page of the console");
      const expiresAt = new Date(clock() + seconds * 1000);
      const link = { organizationId, role, name, externalId, returnTo, expiresAt };
      const token = await createLink(db, link, { now: now(), address: request.ip });
      reply.header("cache-control", "no-store");
      const url = `${baseUrl()}${linkAddress}?token=${token}`;
      return item({ url, expires_at: expiresAt.toISOString(), role });
    },

    async openConsoleLink(request, reply) {
      // The page is the same for a request that the validation rejects, for example without a token.
      const token = request.validationError ? "" : request.query.token;
      reply.header("referrer-policy", "no-referrer"); // The address contains the token.
      if (request.method === "HEAD") {
        const returnTo = await findReturnAddress(db, token, now());
        return returnTo === null ? sendPage(reply, 410, invalidLinkPage()) : reply.redirect(returnTo, 303);
      }
      const opened = await openLink(db, token, { now: now(), address: request.ip });
      if (!opened) return sendPage(reply, 410, invalidLinkPage());
      const earlier = sessionCookie.read(request);
      if (earlier !== undefined) await endSession(db, earlier, request.ip);
      sessionCookie.write(reply, opened.sessionSecret, linkSessionLifetime);
      return reply.redirect(opened.returnTo, 303);
    },
  };
}
