import type { SecretBox } from "./secret-box.ts";

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
}

/** Failure reason of subscriptions whose secret or headers no key decrypts. */
export const unreadableReason =
  "the signing secret or `headers` cannot be decrypted: rotate the secret with `immediately`, and set `headers` again";

/** Decrypts the secrets and headers of a subscription; null if no key matches. */
export function decryptSecrets(
  subscription: EncryptedSecrets<Uint8Array> & { organizationId: string; headers: Uint8Array | null },
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
    };
  } catch {
    return null;
  }
}
