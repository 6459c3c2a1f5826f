import {
  AccountError,
  createClient,
  deleteClient,
  oldSecretLifetime,
  removeOldSecrets,
  rotateSecret,
  updateClient,
} from "@parley/database/accounts";
import { ApiError } from "../../http/api-error.ts";
import type { OperationRequest } from "../../http/handlers.ts";
import { clientAddress, clientsAddress } from "./addresses.ts";
import type { Typed } from "./flash-messages.ts";
import { findOwnClient } from "./own-clients.ts";
import type { Outcome, PagesContext, Visitor } from "./visit.ts";

/** Registers an app for the visitor's organization. Its own page shows the secret. */
export async function registerClient(
  { db }: PagesContext,
  { user, address }: Visitor,
  { name = "", redirect_uris = "", kind = "confidential" }: OperationRequest<"submitClients">["body"],
): Promise<Outcome> {
  requireAdmin(user);
  const wanted = { name, redirectUris: lines(redirect_uris), isPublic: kind === "public" };
  const { organizationId } = user;
  return unlessRefused({ goTo: clientsAddress, typed: { name, redirect_uris, kind } }, async () => {
    const by = { userId: user.id, address };
    const { client, secret } = await createClient(db, { ...wanted, organizationId }, by);
    const done = `${client.name} is registered.`;
    return { goTo: clientAddress(client.id), done, ...(secret !== null && { secret }) };
  });
}

const oldLifetimes = { day: oldSecretLifetime, week: 7 * oldSecretLifetime, none: 0 };

type Action = Exclude<OperationRequest<"submitClient">["body"]["action"], "sign_in" | "sign_out">;

/**
 * Changes one of the organization's own apps.
 *
 * @throws ApiError 403, 404
 */
export async function changeClient(
  { db, clock }: PagesContext,
  { user, address }: Visitor,
  id: string,
  action: Action,
  { name = "", redirect_uris = "", old_valid_for = "day" }: OperationRequest<"submitClient">["body"],
): Promise<Outcome> {
  requireAdmin(user);
  const client = await findOwnClient(db, user.organizationId, id);
  const goTo = clientAddress(id);
  const by = { userId: user.id, address };
  const now = new Date(clock());
  switch (action) {
    case "update":
      return unlessRefused({ goTo, typed: { name, redirect_uris } }, async () => {
        await updateClient(db, id, { name, redirectUris: lines(redirect_uris) }, by);
        return { goTo, done: "The changes are saved." };
      });
    case "rotate_secret":
      return unlessRefused({ goTo }, async () => {
        const { secret } = await rotateSecret(
          db,
          id,
          { oldValidForMs: oldLifetimes[old_valid_for], now },
          by,
        );
        return { goTo, done: "A new secret was made.", secret };
      });
    case "remove_old_secret":
      await removeOldSecrets(db, id, by, now);
      return { goTo, done: "The old secret no longer works." };
    case "delete":
      await deleteClient(db, id, by);
      return { goTo: clientsAddress, done: `${client.name} is deleted.` };
  }
}

function requireAdmin({ isAdmin }: Visitor["user"]): void {
  if (!isAdmin) throw new ApiError(403, "invalid_request", "Only an admin of your organization may do this.");
}

/** A text field with an address on each line. */
function lines(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** What the rules do not allow is said on the form, which still holds what was typed. */
async function unlessRefused(
  form: { goTo: string; typed?: Typed },
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof AccountError) return { ...form, problems: error.problems };
    throw error;
  }
}
