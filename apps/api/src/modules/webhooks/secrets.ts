import { timeOfChange } from "@parley/database";
import {
  createSigningSecret,
  keepVersion,
  notifyChanged,
  type SecretBox,
  signingSecrets,
} from "@parley/webhooks";
import type { AuthoredChange } from "../../http/make-change.ts";
import { recordWebhookChange } from "./audit.ts";
import { lockSubscription } from "./service.ts";

/** Time for receivers to accept the new secret in addition to the old one. */
const overlapMs = 24 * 3_600_000;

/**
 * Creates a new signing secret, which is used after 24 hours or immediately, and notifies the workers.
 *
 * @returns the secret and the time from which it is used
 * @throws ApiError 404 if the organization has no such subscription
 */
export async function rotateSecret(
  change: AuthoredChange,
  secretBox: SecretBox,
  id: string,
  immediately: boolean,
): Promise<{ secret: string; signsFrom: Date }> {
  const { tx, organizationId, now } = change;
  const subscription = await lockSubscription(change, id);
  const secret = createSigningSecret();
  const encrypted = secretBox.encrypt(secret, organizationId);
  const signsFrom = immediately ? now : new Date(now.getTime() + overlapMs);
  const data = immediately
    ? { secret: encrypted, nextSecret: null, nextSecretAt: null }
    : { secret: signingSecrets(subscription, now).current, nextSecret: encrypted, nextSecretAt: signsFrom };
  const updatedAt = await timeOfChange(tx, now, subscription.updatedAt);
  const update = { ...data, ...(await keepVersion(tx, subscription)), updatedAt };
  await tx.subscription.update({ where: { id, organizationId }, data: update });
  await notifyChanged(tx, id);
  await recordWebhookChange(change, "webhook.secret_rotated", subscription, { immediately });
  return { secret, signsFrom };
}
