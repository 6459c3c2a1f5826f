import type { Operations } from "../../http/handlers.ts";
import { handleForm, type PagesContext, renderForUser } from "./account-requests.ts";
import { appsAddress, clientAddress, clientsAddress } from "./addresses.ts";
import { disconnectApp, listConnectedApps } from "./connected-apps.ts";
import { countUsers, findOwnClient, listOwnClients } from "./own-clients.ts";
import { clientPage } from "./pages/client-page.ts";
import { clientsPage } from "./pages/clients-page.ts";
import { connectedAppsPage } from "./pages/connected-apps-page.ts";
import { clientDeletionPage } from "./pages/delete-client-page.ts";
import { notAdminPage } from "./pages/error-pages.ts";
import { changeClient, registerClient } from "./submit-client.ts";

type PagesOperation =
  | "showConnectedApps"
  | "submitConnectedApps"
  | "showClients"
  | "submitClients"
  | "showClient"
  | "submitClient";

/** Returns the operations of the account pages: a user's connected apps, and the apps that the organization registered. */
export function accountPagesOperations(context: PagesContext): Operations<PagesOperation> {
  const { db, clock } = context;
  const now = () => new Date(clock());
  const apps = { address: appsAddress, reason: "to see which apps have access" };
  const clients = { address: clientsAddress, reason: "to manage your organization’s apps" };
  return {
    showConnectedApps: (request, reply) =>
      renderForUser(context, request, reply, apps, async (session, message) =>
        connectedAppsPage(session, await listConnectedApps(db, session.user.id, now()), message),
      ),

    submitConnectedApps: (request, reply) =>
      handleForm(context, request, reply, appsAddress, async ({ user, address }) => {
        const { client_id: clientId = "" } = request.body;
        const name = await disconnectApp(db, { userId: user.id, clientId, address }, now());
        return {
          redirectTo: appsAddress,
          ...(name !== undefined && { done: `${name} no longer has access.` }),
        };
      }),

    showClients: (request, reply) =>
      renderForUser(context, request, reply, clients, async (session, message) => {
        if (!session.user.isAdmin) return notAdminPage(session);
        return clientsPage(session, await listOwnClients(db, session.user.organizationId), message);
      }),

    submitClients: (request, reply) =>
      handleForm(context, request, reply, clientsAddress, (session) =>
        registerClient(context, session, request.body),
      ),

    showClient(request, reply) {
      const { client_id: id } = request.params;
      const page = { address: clientAddress(id), reason: clients.reason };
      return renderForUser(context, request, reply, page, async (session, message) => {
        if (!session.user.isAdmin) return notAdminPage(session);
        const client = await findOwnClient(db, session.user.organizationId, id);
        if (request.query.confirm !== "delete") return clientPage(session, client, message, now());
        return clientDeletionPage(session, client, await countUsers(db, id));
      });
    },

    submitClient(request, reply) {
      const { client_id: id } = request.params;
      return handleForm(context, request, reply, clientAddress(id), (session, action) =>
        changeClient(context, session, id, action, request.body),
      );
    },
  };
}
