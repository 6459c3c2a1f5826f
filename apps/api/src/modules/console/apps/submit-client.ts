import {
  AccountError,
  createClient,
  deleteClient,
  oldSecretLifetime,
  removeGrants,
  removeOldSecrets,
  rotateSecret,
  updateClient,
} from "@parley/database/accounts";
import { disableSubscriptionsCreatedBy } from "@parley/webhooks";
import type { OperationRequest } from "../../../http/handlers.ts";
import { clientAddress, clientsAddress } from "../addresses.ts";
import type { ConsoleContext } from "../context.ts";
import type { Problem } from "../flash-messages.ts";
import { actorOf, type ConsoleSession, type FormResult, requireAllowed } from "../page-requests.ts";
import { rejectable } from "../reject.ts";
import { findOwnClient } from "./own-clients.ts";

/** Registers an app for the user's organization and redirects to its page, which shows the secret. */
export async function registerClient(
  { db }: ConsoleContext,
  session: ConsoleSession,
  { name = "", redirect_uris = "", kind = "confidential" }: OperationRequest<"submitClients">["body"],
): Promise<FormResult> {
  requireAllowed(session.user.isAdmin);
  const wanted = { name, redirectUris: lines(redirect_uris), isPublic: kind === "public" };
  const { organizationId } = session.user;
  return rejectable(
    { redirectTo: clientsAddress, typed: { name, redirect_uris, kind } },
    problemsOf,
    async () => {
      const { client, secret } = await createClient(db, { ...wanted, organizationId }, actorOf(session));
      const done = `${client.name} was registered.`;
      return { redirectTo: clientAddress(client.id), done, ...(secret !== null && { secret }) };
    },
  );
}

const oldLifetimes = { day: oldSecretLifetime, week: 7 * oldSecretLifetime, none: 0 };

/**
 * Updates or deletes an app that the organization registered, or changes its secrets.
 *
 * @throws ApiError 403 if the user is no admin, 404 if the organization has no such app
 */
export async function changeClient(
  { db, clock }: ConsoleContext,
  session: ConsoleSession,
  id: string,
  {
    action,
    name = "",
    redirect_uris = "",
    old_valid_for = "day",
    webhooks = "disable",
  }: OperationRequest<"submitClient">["body"],
): Promise<FormResult> {
  requireAllowed(session.user.isAdmin);
  const client = await findOwnClient(db, session.user.organizationId, id);
  const redirectTo = clientAddress(id);
  const by = actorOf(session);
  const now = new Date(clock());
  switch (action) {
    case "update":
      return rejectable({ redirectTo, typed: { name, redirect_uris } }, problemsOf, async () => {
        await updateClient(db, id, { name, redirectUris: lines(redirect_uris) }, by);
        return { redirectTo, done: "The changes were saved." };
      });
    case "rotate_secret":
      return rejectable({ redirectTo }, problemsOf, async () => {
        const { secret } = await rotateSecret(
          db,
          id,
          { oldValidForMs: oldLifetimes[old_valid_for], now },
          by,
        );
        return { redirectTo, done: "A new secret was created.", secret };
      });
    case "remove_old_secret":
      await removeOldSecrets(db, id, by, now);
      return { redirectTo, done: "The old secret was revoked." };
    case "delete":
      await removeGrants(db, { clientId: id });
      if (webhooks === "disable") await disableSubscriptionsCreatedBy(db, { clientId: id }, by);
      await deleteClient(db, id, by);
      return { redirectTo: clientsAddress, done: `${client.name} was deleted.` };
  }
}

/** Splits a text area into its non-empty lines. */
function lines(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Returns the problems of an error if the rules for accounts reject a value. */
function problemsOf(error: unknown): Problem[] | undefined {
  return error instanceof AccountError ? error.problems : undefined;
}
