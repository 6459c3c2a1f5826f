import type { Operations } from "../../http/handlers.ts";
import { appsAddress, clientAddress, clientsAddress } from "./addresses.ts";
import { disconnectApp, listConnectedApps } from "./connected-apps.ts";
import { countUsers, findOwnClient, listOwnClients } from "./own-clients.ts";
import { clientPage } from "./pages/client-page.ts";
import { clientsPage } from "./pages/clients-page.ts";
import { connectedAppsPage } from "./pages/connected-apps-page.ts";
import { deleteClientPage } from "./pages/delete-client-page.ts";
import { notAdminPage } from "./pages/refusal-pages.ts";
import { changeClient, registerClient } from "./submit-client.ts";
import { type PagesContext, showToVisitor, takeForm } from "./visit.ts";

type PagesOperation =
  | "showConnectedApps"
  | "submitConnectedApps"
  | "showClients"
  | "submitClients"
  | "showClient"
  | "submitClient";

/** Pages for people: the apps that have access in their name, and their organization's own apps. */
export function accountPagesOperations(context: PagesContext): Operations<PagesOperation> {
  const { db, clock } = context;
  const now = () => new Date(clock());
  const apps = { address: appsAddress, reason: "to see which apps have access" };
  const clients = { address: clientsAddress, reason: "to manage your organization’s apps" };
  return {
    showConnectedApps: (request, reply) =>
      showToVisitor(context, request, reply, apps, async (visitor, message) =>
        connectedAppsPage(visitor, await listConnectedApps(db, visitor.user.id, now()), message),
      ),

    submitConnectedApps: (request, reply) =>
      takeForm(context, request, reply, appsAddress, async ({ user, address }) => {
        const { client_id: clientId = "" } = request.body;
        const name = await disconnectApp(db, { userId: user.id, clientId, address }, now());
        return { goTo: appsAddress, ...(name !== undefined && { done: `${name} no longer has access.` }) };
      }),

    showClients: (request, reply) =>
      showToVisitor(context, request, reply, clients, async (visitor, message) => {
        if (!visitor.user.isAdmin) return notAdminPage(visitor);
        return clientsPage(visitor, await listOwnClients(db, visitor.user.organizationId), message);
      }),

    submitClients: (request, reply) =>
      takeForm(context, request, reply, clientsAddress, (visitor) =>
        registerClient(context, visitor, request.body),
      ),

    showClient(request, reply) {
      const { client_id: id } = request.params;
      const page = { address: clientAddress(id), reason: clients.reason };
      return showToVisitor(context, request, reply, page, async (visitor, message) => {
        if (!visitor.user.isAdmin) return notAdminPage(visitor);
        const client = await findOwnClient(db, visitor.user.organizationId, id);
        if (request.query.confirm !== "delete") return clientPage(visitor, client, message, now());
        return deleteClientPage(visitor, client, await countUsers(db, id));
      });
    },

    submitClient(request, reply) {
      const { client_id: id } = request.params;
      return takeForm(context, request, reply, clientAddress(id), (visitor, action) =>
        changeClient(context, visitor, id, action, request.body),
      );
    },
  };
}
