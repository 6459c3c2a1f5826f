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
