import { type Logger, reencrypt, type SecretBox } from "@parley/webhooks";
import type { Pool } from "pg";

/** Re-encrypts the secrets of subscriptions and organizations with the current key, and logs when old keys are no longer needed. */
export async function changeEncryptionKey({
  db,
  secretBox,
  log,
}: {
  db: Pool;
  secretBox: SecretBox;
  log: Logger;
}): Promise<void> {
  if (!secretBox.hasOldKeys) return;
  const { reencrypted, unreadable } = await reencrypt(db, secretBox);
  if (unreadable.length > 0) {
    log.error({ rows: unreadable.slice(0, 100) }, "secrets cannot be decrypted with any key");
  }
  log.info({ reencrypted }, "secrets are encrypted with the current key");
}
