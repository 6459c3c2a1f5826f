import type { SecretBox } from "../secret-box.ts";
import { signingSecrets } from "../signing-secret.ts";
import type { Lease } from "./leases.ts";

/** What signs the deliveries of a leased subscription. */
export interface Secrets {
  now: string;
  /** Signs in place of `now` from a time on; ms since 1970. */
  next: { secret: string; from: number } | null;
}

/** @returns null when no key opens them */
export function openSecrets(lease: Lease, secretBox: SecretBox, now: number): Secrets | null {
  const { current, next } = signingSecrets(lease, new Date(now));
  const open = (sealed: Buffer) => secretBox.open(sealed, lease.organizationId);
  try {
    return { now: open(current), next: next && { secret: open(next.secret), from: next.from.getTime() } };
  } catch {
    return null;
  }
}
