import { timeOfChange } from "@parley/database";
import {
  type Change,
  createSigningSecret,
  notifyChanged,
  type SecretBox,
  signingSecrets,
} from "@parley/webhooks";
import { lockSubscription } from "./service.ts";

/** Receivers may hold both secrets meanwhile. */
const changeOverMs = 24 * 3_600_000;

/**
 * Makes a new secret, which signs in 24 hours or at once, and tells the workers.
 *
 * @throws ApiError 404 when the organization has no such subscription
 */
export async function rotateSecret(
  change: Change,
  secretBox: SecretBox,
  id: string,
  immediately: boolean,
): Promise<{ secret: string; signsFrom: Date }> {
  const { tx, organizationId, now } = change;
  const subscription = await lockSubscription(change, id);
  const secret = createSigningSecret();
  const sealed = secretBox.seal(secret, organizationId);
  const signsFrom = immediately ? now : new Date(now.getTime() + changeOverMs);
  const data = immediately
    ? { secret: sealed, nextSecret: null, nextSecretAt: null }
    : { secret: signingSecrets(subscription, now).current, nextSecret: sealed, nextSecretAt: signsFrom };
  const updatedAt = await timeOfChange(tx, now, subscription.updatedAt);
  await tx.subscription.update({ where: { id, organizationId }, data: { ...data, updatedAt } });
  await notifyChanged(tx, id);
  return { secret, signsFrom };
}
