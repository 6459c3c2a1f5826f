import {
  type Database,
  hashPassword,
  PasswordQueueFullError,
  recordAudit,
  type User,
  verifyPassword,
} from "@parley/database";
import { ApiError } from "../../../http/api-error.ts";
import { randomSecret } from "../secrets.ts";
import { isKnownNetwork } from "./known-network.ts";
import { networkOf } from "./network.ts";
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

interface SignInContext {
  db: Database;
  signInThrottle: Throttle;
}

/**
 * Returns the user with this email and password; null for an unknown email, a wrong password, and a user whose organization is
 * being deleted. Guesses are limited, as RFC 6749 section 10.10 requires for credentials of end-users.
 *
 * @throws ApiError 429 after too many failures of the account from one network, of the network, or of the account; 503
 *   when too many others sign in at the same time
 */
export async function checkPassword(
  { db, signInThrottle }: SignInContext,
  { email, password, address }: SignInAttempt,
): Promise<User | null> {
  const limits = await countAttempt({ db, signInThrottle }, { email, address });
  const user = await db.user.findUnique({ where: { email, organization: { deletionStartedAt: null } } });
  const hash = user?.passwordHash ?? (await nobodysPassword);
  const matches = await verifyPassword(password, hash).catch(async (error: unknown) => {
    await signInThrottle.forgive(limits); // Nothing was checked.
    throw error instanceof PasswordQueueFullError ? tooBusy() : error;
  });
  if (!user || !matches) {
    await recordFailure(db, "user.sign_in_failed", user, address);
    return null;
  }
  await signInThrottle.forgive(limits);
  return user;
}

function tooBusy(): ApiError {
  const description = "Too many people are signing in at the moment. Try again in a few seconds.";
  return new ApiError(503, "server_error", description, { "retry-after": "5" });
}

/**
 * Counts the attempt before it is checked. Guesses from many networks close an account for all but the networks that it
 * was signed in to from before: anybody can guess, and the owner can go on there.
 *
 * @returns what was counted
 * @throws ApiError 429
 */
async function countAttempt(
  { db, signInThrottle: throttle }: SignInContext,
  { email, address }: Pick<SignInAttempt, "email" | "address">,
): Promise<Limit[]> {
  const network = networkOf(address);
  const ofNetwork = [
    { key: `${network} ${email}`, failures: 10 },
    { key: network, failures: 50 },
  ];
  const all = [...ofNetwork, { key: email, failures: 100 }];
  const wait = await throttle.attempt(all);
  if (wait === 0) return all;
  const isKnown = await isKnownNetwork(db, email, network);
  const waitHere = isKnown ? await throttle.attempt(ofNetwork) : wait;
  if (waitHere === 0) return ofNetwork;
  // Recorded once a window, so that nobody fills the log. No email holds NUL.
  if ((await throttle.attempt([{ key: `throttled\0${network}`, failures: 1 }])) === 0) {
    await recordFailure(
      db,
      "user.sign_in_throttled",
      await db.user.findUnique({ where: { email } }),
      address,
    );
  }
  throw tooManyRequests(tooOften, waitHere);
}

async function recordFailure(
  db: Database,
  event: "user.sign_in_failed" | "user.sign_in_throttled",
  user: User | null,
  address: string,
): Promise<void> {
  const { id: userId, organizationId } = user ?? {};
  await recordAudit(db, { event, userId, organizationId, address });
}
