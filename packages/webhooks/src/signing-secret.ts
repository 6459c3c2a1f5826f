import type { KeyObject } from "node:crypto";
import type { SecretBox } from "./secret-box.ts";
import { readPrivateKey, type SigningKey } from "./signing-key.ts";

/** Encrypted secrets of a subscription. */
export interface EncryptedSecrets<Encrypted> {
  secret: Encrypted;
  /** Secret that signs from `nextSecretAt` on; null if no rotation is pending. */
  nextSecret: Encrypted | null;
  nextSecretAt: Date | null;
}

/** Returns the encrypted secret that signs at a time, and the next secret with the time from which it signs. */
export function signingSecrets<Encrypted>(
  { secret, nextSecret, nextSecretAt }: EncryptedSecrets<Encrypted>,
  now: Date,
): { current: Encrypted; next: { secret: Encrypted; from: Date } | null } {
  if (!nextSecret || !nextSecretAt) return { current: secret, next: null };
  if (nextSecretAt <= now) return { current: nextSecret, next: null };
  return { current: secret, next: { secret: nextSecret, from: nextSecretAt } };
}

/** Decrypted secrets of a subscription, which sign its deliveries, and the headers that it adds to them. */
export interface Secrets {
  now: string;
  /** Secret that signs from the time `from` on, in ms since 1970; null if no rotation is pending. */
  next: { secret: string; from: number } | null;
  headers: Readonly<Record<string, string>>;
  /** Private keys of the organization, in the order in which they sign; empty without `public_key_signature`. */
  signingKeys: readonly SigningKey<KeyObject>[];
}

/** Failure reason of subscriptions with a secret, headers or a signing key that no encryption key decrypts. */
export const unreadableReason =
  "the signing secret, the signing key or `headers` cannot be decrypted: rotate the secret and the key with `immediately`, and set `headers` again";

/** What `decryptSecrets` decrypts. */
interface EncryptedSubscription extends EncryptedSecrets<Uint8Array> {
  organizationId: string;
  headers: Uint8Array | null;
  /** Private keys of the organization, in the order in which they sign; empty without `public_key_signature`. */
  signingKeys: readonly SigningKey<Uint8Array>[];
}

/** Decrypts the secrets, headers and signing keys of a subscription; null if no encryption key matches. */
export function decryptSecrets(
  subscription: EncryptedSubscription,
  secretBox: SecretBox,
  now: number,
): Secrets | null {
  const { current, next } = signingSecrets(subscription, new Date(now));
  const decrypt = (encrypted: Uint8Array) => secretBox.decrypt(encrypted, subscription.organizationId);
  try {
    return {
      now: decrypt(current),
      next: next && { secret: decrypt(next.secret), from: next.from.getTime() },
      headers: subscription.headers
        ? (JSON.parse(decrypt(subscription.headers)) as Record<string, string>)
        : {},
      // Keys that no longer sign are skipped.
      signingKeys: subscription.signingKeys
        .filter((_, index, keys) => (keys[index + 1]?.from ?? Infinity) > now)
        .map(({ key, from }) => ({ key: readPrivateKey(decrypt(key)), from })),
    };
  } catch {
    return null;
  }
}
