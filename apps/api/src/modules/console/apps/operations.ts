import { subscriptionsCreatedBy } from "@parley/webhooks";
import { ApiError } from "../../../http/api-error.ts";
import type { Operations } from "../../../http/handlers.ts";
import { appsAddress } from "../addresses.ts";
import type { ConsoleContext } from "../context.ts";
import { notAdminPage } from "../layout/error-pages.ts";
import { handleForm, renderForUser } from "../page-requests.ts";
import { disconnectApp, listConnectedApps } from "./connected-apps.ts";
import { countUsers, findOwnClient, listOwnClients } from "./own-clients.ts";
import { clientPage } from "./pages/client-page.ts";
import { clientsPage } from "./pages/clients-page.ts";
import { connectedAppsPage } from "./pages/connected-apps-page.ts";
import { clientDeletionPage } from "./pages/delete-client-page.ts";
import { noConnectedAppsPage } from "./pages/no-connected-apps-page.ts";
import { changeClient, registerClient } from "./submit-client.ts";

type AppsOperation =
  | "showConnectedApps"
  | "submitConnectedApps"
  | "showClients"
  | "submitClients"
  | "showClient"
  | "submitClient";

/** Returns the operations of the pages about apps: a user's connected apps, and the apps that the organization registered. */
export function appsOperations(context: ConsoleContext): Operations<AppsOperation> {
  const { db, clock } = context;
  const now = () => new Date(clock());
  return {
    showConnectedApps: (request, reply) =>
      renderForUser(context, request, reply, async (session, message) => {
        const { userId } = session.user;
        if (userId === null) return noConnectedAppsPage(session);
        return connectedAppsPage(session, await listConnectedApps(db, userId, now()), message);
      }),

    submitConnectedApps: (request, reply) =>
      handleForm(context, request, reply, async ({ user: { userId }, address }) => {
        if (userId === null) throw new ApiError(403, "invalid_request", "Only users have connected apps.");
        const { client_id: clientId = "", webhooks = "disable" } = request.body;
        const name = await disconnectApp(db, { userId, clientId, address }, now(), webhooks);
        return {
          redirectTo: appsAddress,
          ...(name !== undefined && { done: `${name} no longer has access.` }),
        };
      }),

    showClients: (request, reply) =>
      renderForUser(context, request, reply, async (session, message) => {
        if (!session.user.isAdmin) return notAdminPage(session, "register and change apps");
        return clientsPage(session, await listOwnClients(db, session.user.organizationId), message);
      }),

    submitClients: (request, reply) =>
      handleForm(context, request, reply, (session) => registerClient(context, session, request.body)),

    showClient(request, reply) {
      const { client_id: id } = request.params;
      return renderForUser(context, request, reply, async (session, message) => {
        if (!session.user.isAdmin) return notAdminPage(session, "register and change apps");
        const client = await findOwnClient(db, session.user.organizationId, id);
        if (request.query.confirm !== "delete") return clientPage(session, client, message, now());
        const [users, webhooks] = [
          await countUsers(db, id),
          await subscriptionsCreatedBy(db, { clientId: id }),
        ];
        return clientDeletionPage(session, client, { users, webhooks });
      });
    },

    submitClient: (request, reply) =>
      handleForm(context, request, reply, (session) =>
        changeClient(context, session, request.params.client_id, request.body),
      ),
  };
}
