import { type Database, hashPassword, recordAudit, type User, verifyPassword } from "@parley/database";
import { isKnownNetwork } from "./known-network.ts";
import { networkOf } from "./network.ts";
import { randomSecret } from "./secrets.ts";
import { type Limit, type Throttle, tooManyRequests } from "./throttle.ts";

/** Checked in place of an unknown user's, so that an answer takes the same time. */
const nobodysPassword = hashPassword(randomSecret());

const tooOften = "Too many failed attempts to sign in.";

export interface SignInAttempt {
  /** In lower case. */
  email: string;
  password: string;
  address: string;
}

/**
 * The user with this email and password; null for an unknown email and for a wrong password alike.
 *
 * @throws ApiError 429 after too many failures of the account from one network, of the network, or of the account
 */
export async function checkPassword(
  { db, signInThrottle }: { db: Database; signInThrottle: Throttle },
  { email, password, address }: SignInAttempt,
): Promise<User | null> {
  const limits = await countAttempt(db, signInThrottle, email, networkOf(address));
  const user = await db.user.findUnique({ where: { email } });
  const matches = await verifyPassword(password, user?.passwordHash ?? (await nobodysPassword));
  if (!user || !matches) {
    const { id: userId, organizationId } = user ?? {};
    await recordAudit(db, { event: "user.sign_in_failed", userId, organizationId, address });
    return null;
  }
  await signInThrottle.forgive(limits);
  return user;
}

/**
 * Counts the attempt before it is checked. Guesses from many networks close an account for all but the networks that it
 * was signed in to from before: anybody can guess, and the owner can go on there.
 *
 * @returns what was counted
 * @throws ApiError 429
 */
async function countAttempt(
  db: Database,
  throttle: Throttle,
  email: string,
  network: string,
): Promise<Limit[]> {
  const ofNetwork = [
    { key: `${network} ${email}`, failures: 10 },
    { key: network, failures: 50 },
  ];
  const all = [...ofNetwork, { key: email, failures: 100 }];
  const wait = await throttle.attempt(all);
  if (wait === 0) return all;
  if (!(await isKnownNetwork(db, email, network))) throw tooManyRequests(tooOften, wait);
  const waitOfOwner = await throttle.attempt(ofNetwork);
  if (waitOfOwner > 0) throw tooManyRequests(tooOften, waitOfOwner);
  return ofNetwork;
}
