import { type Database, hashPassword, verifyPassword } from "@parley/database";
import { ApiError } from "../../http/api-error.ts";
import { networkOf } from "./network.ts";
import { randomSecret } from "./secrets.ts";
import type { Limit, Throttle } from "./throttle.ts";

/** Checked in place of an unknown user's, so that an answer takes the same time. */
const nobodysPassword = hashPassword(randomSecret());

/**
 * The id of the user with this email and password; null for an unknown email and for a wrong password alike.
 *
 * @throws ApiError 429 after too many failures of the account from one network, of the network, or of the account
 */
export async function checkPassword(
  { db, signInThrottle }: { db: Database; signInThrottle: Throttle },
  { email, password, address }: { email: string; password: string; address: string },
): Promise<string | null> {
  const limits = limitsFor(email, networkOf(address));
  const wait = signInThrottle.blockedFor(limits);
  if (wait > 0) throw tooManyFailures(wait);
  signInThrottle.fail(limits); // before the check, so that many attempts at once gain nothing
  const user = await db.user.findUnique({ where: { email } });
  const matches = await verifyPassword(password, user?.passwordHash ?? (await nobodysPassword));
  if (!user || !matches) return null;
  signInThrottle.forgive(limits);
  return user.id;
}

function limitsFor(email: string, network: string): Limit[] {
  return [
    { key: `${network} ${email}`, failures: 10 },
    { key: network, failures: 50 },
    { key: email, failures: 100 },
  ];
}

function tooManyFailures(wait: number): ApiError {
  const minutes = Math.ceil(wait / 60_000);
  const description = `Too many failed attempts to sign in. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
  return new ApiError(429, "rate_limit_exceeded", description, {
    "retry-after": String(Math.ceil(wait / 1000)),
  });
}
