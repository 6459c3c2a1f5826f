import { type Logger, reencryptSecrets, reencryptSigningKeys, type SecretBox } from "@parley/webhooks";
import type { Pool } from "pg";

/** Re-encrypts signing secrets and signing keys with the current key, and logs when old keys are no longer needed. */
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
  const keys = await reencryptSigningKeys(db, secretBox);
  if (keys.unreadable.length > 0) {
    log.error(
      { organizations: keys.unreadable.slice(0, 100) },
      "signing keys cannot be decrypted with any key",
    );
  }
  log.info(
    { reencrypted: reencrypted + keys.reencrypted },
    "signing secrets are encrypted with the current key",
  );
}
