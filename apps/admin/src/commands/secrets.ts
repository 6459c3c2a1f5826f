import type { Command } from "@commander-js/extra-typings";
import { duration, fields, print, withExamples } from "@parley/command-line";
import { oldSecretLifetime, removeOldSecrets, rotateSecret } from "@parley/database/accounts";
import { withDatabase } from "../with-database.ts";

/** Adds the commands about secrets to the `clients` group. */
export function addSecretCommands(clients: Command): void {
  const rotate = clients
    .command("rotate-secret")
    .description(
      "Creates a new secret for an app and prints it once. The old secret stays valid for a while.",
    )
    .argument("<id>", "client ID")
    .option("--old-valid-for <duration>", "default 24h; 0 revokes old secrets immediately", duration)
    .option("--json", "print JSON")
    .action((id, { oldValidFor = oldSecretLifetime, json }) =>
      withDatabase(async (db, by) => {
        const { secret, oldExpiresAt } = await rotateSecret(db, id, { oldValidForMs: oldValidFor }, by);
        const data = { client_id: id, client_secret: secret, old_secret_expires_at: oldExpiresAt };
        const row = {
          "client id": id,
          "client secret": secret,
          "old secret until": oldExpiresAt ?? "revoked",
        };
        print(json, data, () => `${fields(row)}\n\nStore the secret now. It is not shown again.`);
      }),
    );
  withExamples(rotate, [
    "parley-admin clients rotate-secret parley_ci_4f0c2a8e6b1d3957ac82e0f1",
    "parley-admin clients rotate-secret parley_ci_4f0c2a8e6b1d3957ac82e0f1 --old-valid-for 7d",
  ]);

  const remove = clients
    .command("remove-old-secret")
    .description("Revokes the old secret of a rotation now.")
    .argument("<id>", "client ID")
    .option("--json", "print JSON")
    .action((id, { json }) =>
      withDatabase(async (db, by) => {
        const removed = await removeOldSecrets(db, id, by);
        print(json, { client_id: id, removed }, () =>
          removed > 0 ? "Revoked the old secret." : "There is no old secret.",
        );
      }),
    );
  withExamples(remove, ["parley-admin clients remove-old-secret parley_ci_4f0c2a8e6b1d3957ac82e0f1"]);
}
