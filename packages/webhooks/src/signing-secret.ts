import type { SecretBox } from "./secret-box.ts";

/** Encrypted secrets of a subscription. */
export interface SealedSecrets<Sealed> {
  secret: Sealed;
  /** Secret that signs from `nextSecretAt` on; null if no rotation is pending. */
  nextSecret: Sealed | null;
  nextSecretAt: Date | null;
}

/** Returns the encrypted secret that signs at a time, and the next secret with the time from which it signs. */
export function signingSecrets<Sealed>(
  { secret, nextSecret, nextSecretAt }: SealedSecrets<Sealed>,
  now: Date,
): { current: Sealed; next: { secret: Sealed; from: Date } | null } {
  if (!nextSecret || !nextSecretAt) return { current: secret, next: null };
  if (nextSecretAt <= now) return { current: nextSecret, next: null };
  return { current: secret, next: { secret: nextSecret, from: nextSecretAt } };
}

/** Decrypted secrets that sign the deliveries of a subscription. */
export interface Secrets {
  now: string;
  /** Secret that signs from the time `from` on, in ms since 1970; null if no rotation is pending. */
  next: { secret: string; from: number } | null;
}

/** Failure reason of subscriptions whose secret no key decrypts. */
export const unreadableReason = "the signing secret cannot be decrypted: rotate it with `immediately`";

/** Decrypts the secrets of a subscription; null if no key matches. */
export function openSecrets(
  subscription: SealedSecrets<Uint8Array> & { organizationId: string },
  secretBox: SecretBox,
  now: number,
): Secrets | null {
  const { current, next } = signingSecrets(subscription, new Date(now));
  const open = (sealed: Uint8Array) => secretBox.open(sealed, subscription.organizationId);
  try {
    return { now: open(current), next: next && { secret: open(next.secret), from: next.from.getTime() } };
  } catch {
    return null;
  }
}
