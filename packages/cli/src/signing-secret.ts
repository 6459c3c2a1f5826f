import { serverOf } from "./connection.ts";
import { webhookSecret } from "./store/servers.ts";

/** Returns the secret with which events are signed: the given secret, PARLEY_WEBHOOK_SECRET, or the secret of this machine. */
export function signingSecret({
  secret,
  server,
}: {
  secret?: string | undefined;
  server?: string | undefined;
}): string {
  return secret || process.env["PARLEY_WEBHOOK_SECRET"] || webhookSecret(serverOf(server));
}
