import { type Logger, reencryptSecrets, type SecretBox } from "@parley/webhooks";
import type { Pool } from "pg";

/** Re-encrypts signing secrets with the current key, and logs when old keys are no longer needed. */
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
  const { reencrypted, unreadable } = await reencryptSecrets(db, secretBox);
  if (unreadable.length > 0) {
    log.error(
      { subscriptions: unreadable.slice(0, 100) },
      "signing secrets cannot be decrypted with any key",
    );
  }
  log.info({ reencrypted }, "signing secrets are encrypted with the current key");
}
