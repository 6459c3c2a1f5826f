import { serverOf } from "./connection.ts";
import { webhookSecret } from "./store/servers.ts";

interface SecretOptions {
  readonly secret?: string | undefined;
  readonly server?: string | undefined;
}

/** Returns the secret with which events are signed: the given secret, PARLEY_WEBHOOK_SECRET, or the secret of this machine. */
export function signingSecret({ secret, server }: SecretOptions): string {
  return secret || process.env["PARLEY_WEBHOOK_SECRET"] || webhookSecret(serverOf(server));
}

/** Whether the user chose the secret. */
export function isOwnSecret({ secret }: SecretOptions): boolean {
  return Boolean(secret || process.env["PARLEY_WEBHOOK_SECRET"]);
}
