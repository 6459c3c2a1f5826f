import { type Logger, resealSecrets, type SecretBox } from "@parley/webhooks";
import type { Pool } from "pg";

/** Seals with the current key what an old one sealed, and says when the old ones are not needed any more. */
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
  const { resealed, unreadable } = await resealSecrets(db, secretBox);
  if (unreadable.length > 0) {
    log.error(
      { subscriptions: unreadable.slice(0, 100) },
      "no encryption key opens the secrets of subscriptions",
    );
  }
  log.info({ resealed }, "every signing secret that can be opened is sealed with the current encryption key");
}
