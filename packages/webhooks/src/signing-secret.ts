import type { SecretBox } from "./secret-box.ts";

/** The secrets of a subscription, sealed, as its row has them. */
export interface SealedSecrets<Sealed> {
  secret: Sealed;
  /** Signs from `nextSecretAt` on; null when the secret stays. */
  nextSecret: Sealed | null;
  nextSecretAt: Date | null;
}

/** The secret that signs at a time, and the one that will sign in its place, with the time from when on; both sealed. */
export function signingSecrets<Sealed>(
  { secret, nextSecret, nextSecretAt }: SealedSecrets<Sealed>,
  now: Date,
): { current: Sealed; next: { secret: Sealed; from: Date } | null } {
  if (!nextSecret || !nextSecretAt) return { current: secret, next: null };
  if (nextSecretAt <= now) return { current: nextSecret, next: null };
  return { current: secret, next: { secret: nextSecret, from: nextSecretAt } };
}

/** What signs the deliveries of a subscription. */
export interface Secrets {
  now: string;
  /** Signs in place of `now` from a time on; ms since 1970. */
  next: { secret: string; from: number } | null;
}

/** Why nothing is sent where no key opens them. */
export const unreadableReason = "the signing secret cannot be read: rotate it with `immediately`";

/** @returns null when no key opens them */
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
