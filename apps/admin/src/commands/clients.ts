import type { Command } from "@commander-js/extra-typings";
import { Failure, fields, print, several, table, withExamples } from "@parley/command-line";
import type { Database } from "@parley/database";
import {
  AccountNotFoundError,
  activeGrant,
  createClient,
  deleteClient,
  removeGrants,
  updateClient,
} from "@parley/database/accounts";
import { disableSubscriptionsCreatedBy, type WebhookChoice } from "@parley/webhooks";
import { accountFilter } from "../input/account-filter.ts";
import { organizationId } from "../input/ids.ts";
import { describeWebhooks, webhooksOption } from "../input/webhook-choice.ts";
import { describeClient, jsonOfClient, rowOfClient } from "../output/client.ts";
import { withDatabase } from "../with-database.ts";

/** Adds the `clients` commands. @returns the group, for the commands about secrets */
export function addClientCommands(program: Command) {
  const clients = program
    .command("clients")
    .description("Manages OAuth 2.0 apps, which request access from users.");
  withExamples(clients, ["parley-admin clients list", "parley-admin clients create --help"]);

  const create = clients
    .command("create")
    .description("Registers an app. Its secret is shown once.")
    .requiredOption("--name <name>", "app name shown to users")
    .requiredOption("--redirect-uri <uri>", "where users are sent back to; repeatable", several)
    .option(
      "--organization <id>",
      "organization that owns the app; default: the app is for all organizations",
      organizationId,
    )
    .option("--public", "browser or device app: no secret, requires PKCE")
    .option("--json", "print JSON")
    .action(({ name, redirectUri, organization = null, public: isPublic = false, json }) =>
      withDatabase(async (db, by) => {
        const wanted = { name, redirectUris: redirectUri, organizationId: organization, isPublic };
        const { client, secret } = await createClient(db, wanted, by);
        const data = { ...jsonOfClient(client), ...(secret !== null && { client_secret: secret }) };
        const row = { ...rowOfClient(client), ...(secret !== null && { "client secret": secret }) };
        const note = secret === null ? "" : "\n\nStore the secret now. It is not shown again.";
        print(json, data, () => fields(row) + note);
      }),
    );
  withExamples(create, [
    "parley-admin clients create --name Zapier --redirect-uri https://zapier.com/dashboard/auth/oauth/return/App1/",
    "parley-admin clients create --name Desktop --public --redirect-uri http://127.0.0.1/callback --redirect-uri com.example.app:/callback",
  ]);

  const list = clients
    .command("list")
    .description("Lists apps.")
    .option("--organization <id>", "only apps of one organization", organizationId)
    .option("--json", "print JSON")
    .action(({ organization, json }) =>
      withDatabase(async (db) => {
        const where = await accountFilter(db, { organization });
        const rows = await db.oAuthClient.findMany({ where, orderBy: { createdAt: "asc" } });
        print(
          json,
          rows.map((row) => jsonOfClient(row)),
          () => table(rows.map(rowOfClient), "No apps. Create one: parley-admin clients create --help"),
        );
      }),
    );
  withExamples(list, ["parley-admin clients list"]);

  const show = clients
    .command("show")
    .description("Shows an app, its secrets with their expiry, and its number of grants.")
    .argument("<id>", "client ID")
    .option("--json", "print JSON")
    .action((id, { json }) =>
      withDatabase(async (db) => {
        const client = await db.oAuthClient.findUnique({ where: { id }, include: { secrets: true } });
        if (!client) throw new AccountNotFoundError("client", id);
        const grants = await countGrants(db, id);
        const data = { ...jsonOfClient(client, client.secrets), grants };
        print(json, data, () => describeClient(client, client.secrets, grants));
      }),
    );
  withExamples(show, ["parley-admin clients show parley_ci_4f0c2a8e6b1d3957ac82e0f1"]);

  const update = clients
    .command("update")
    .description("Updates an app's name or redirect URIs.")
    .argument("<id>", "client ID")
    .option("--name <name>", "new name")
    .option("--redirect-uri <uri>", "new redirect URI; replaces all previous ones; repeatable", several)
    .option("--json", "print JSON")
    .action((id, { name, redirectUri, json }) =>
      withDatabase(async (db, by) => {
        if (name === undefined && redirectUri === undefined) {
          throw new Failure("Nothing to update. Add --name or --redirect-uri.", 2);
        }
        const change = {
          ...(name !== undefined && { name }),
          ...(redirectUri && { redirectUris: redirectUri }),
        };
        const client = await updateClient(db, id, change, by);
        print(json, jsonOfClient(client), () => fields(rowOfClient(client)));
      }),
    );
  withExamples(update, [
    "parley-admin clients update parley_ci_4f0c2a8e6b1d3957ac82e0f1 --redirect-uri https://app.example.com/callback",
  ]);

  const remove = clients
    .command("delete")
    .description("Deletes an app and revokes all its grants.")
    .argument("<id>", "client ID")
    .addOption(webhooksOption("disable"))
    .option("--yes", "confirm the deletion; otherwise only shows what would be deleted")
    .option("--json", "print JSON")
    .action((id, { yes, json, webhooks }) =>
      withDatabase(async (db, by) => {
        if (!yes) throw new Failure(await describeLoss(db, id, webhooks), 2);
        await removeGrants(db, { clientId: id });
        if (webhooks === "disable") await disableSubscriptionsCreatedBy(db, { clientId: id }, by);
        await deleteClient(db, id, by);
        print(json, { client_id: id, deleted: true }, () => `Deleted client ${id}.`);
      }),
    );
  withExamples(remove, ["parley-admin clients delete parley_ci_4f0c2a8e6b1d3957ac82e0f1 --yes"]);

  return clients;
}

async function describeLoss(db: Database, id: string, webhooks: WebhookChoice): Promise<string> {
  const client = await db.oAuthClient.findUnique({ where: { id } });
  if (!client) throw new AccountNotFoundError("client", id);
  const grants = await countGrants(db, id);
  const created = await describeWebhooks(db, { clientId: id }, webhooks);
  return `This would delete the app ${client.name} and revoke ${grants} grants. Add --yes to confirm.${created}`;
}

function countGrants(db: Database, clientId: string): Promise<number> {
  return db.oAuthGrant.count({ where: { clientId, ...activeGrant(new Date()) } });
}
