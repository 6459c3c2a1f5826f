import {
  type Database,
  hashPassword,
  type PasswordLane,
  PasswordQueueFullError,
  recordAudit,
  runPasswordCheck,
  type User,
  verifyPassword,
} from "@parley/database";
import { ApiError } from "../../../http/api-error.ts";
import type { OAuthContext } from "../context.ts";
import { randomSecret } from "../secrets.ts";
import { networkOf, organizationOnKnownNetwork, siteOf } from "./network.ts";
import { type Limit, tooManyRequests } from "./throttle.ts";

/** Hash to compare with if the user is unknown, so that the response takes the same time. */
export const dummyPasswordHash = hashPassword(randomSecret());

const tooManyFailures = "Too many failed attempts to sign in.";

interface SignInAttempt {
  /** In lower case. */
  email: string;
  password: string;
  address: string;
}

type SignInContext = Pick<OAuthContext, "db" | "signInThrottle">;

/**
 * Checks email and password, and limits failed attempts, RFC 6749 section 10.10.
 *
 * @returns null for an unknown email, a wrong password, and a user whose organization is being deleted
 * @throws ApiError 429 after too many failures of the account from one network, of the network, or of the account; 503
 *   when too many users sign in at the same time
 */
export async function checkPassword(context: SignInContext, attempt: SignInAttempt): Promise<User | null> {
  try {
    const network = networkOf(attempt.address);
    const organizationId = await organizationOnKnownNetwork(context.db, attempt.email, network);
    const check = (lane: PasswordLane, owner: string) =>
      runPasswordCheck(lane, owner, () => countAndCheck(context, attempt, lane));
    return await (organizationId === undefined
      ? check("other", siteOf(attempt.address) ?? network)
      : check("known", organizationId));
  } catch (error) {
    if (!(error instanceof PasswordQueueFullError)) throw error;
    const description = "Too many people are signing in at the moment. Try again in a few seconds.";
    throw new ApiError(503, "server_error", description, { "retry-after": "5" });
  }
}

async function countAndCheck(
  { db, signInThrottle }: SignInContext,
  { email, password, address }: SignInAttempt,
  lane: PasswordLane,
): Promise<User | null> {
  const limits = await countAttempt({ db, signInThrottle }, { email, address }, lane);
  const { user, matches } = await findMatch(db, email, password, lane).catch(async (error: unknown) => {
    await signInThrottle.forgive(limits); // The password was not checked.
    throw error;
  });
  if (!user || !matches) {
    await recordFailure(db, "user.sign_in_failed", user, address);
    return null;
  }
  await signInThrottle.forgive(limits);
  return user;
}

async function findMatch(db: Database, email: string, password: string, lane: PasswordLane) {
  const user = await db.user.findUnique({ where: { email, organization: { deletionStartedAt: null } } });
  const matches = await verifyPassword(password, user?.passwordHash ?? (await dummyPasswordHash), lane);
  return { user, matches };
}

/**
 * Counts the attempt before the password is checked. Too many failures from many networks block an account or a site, except on
 * networks from which the user has signed in before. Otherwise an attacker could lock the user out.
 *
 * @returns the limits that were counted
 * @throws ApiError 429
 */
async function countAttempt(
  { db, signInThrottle: throttle }: SignInContext,
  { email, address }: Pick<SignInAttempt, "email" | "address">,
  lane: PasswordLane,
): Promise<Limit[]> {
  const [network, site] = [networkOf(address), siteOf(address)];
  const networkLimits = [
    { key: `${network} ${email}`, failures: 10 },
    { key: network, failures: 50 },
  ];
  const all = [
    ...networkLimits,
    ...(site === undefined ? [] : [{ key: site, failures: 100 }]),
    { key: email, failures: 100 },
  ];
  const wait = await throttle.attempt(all);
  if (wait === 0) return all;
  const waitOfNetwork = lane === "known" ? await throttle.attempt(networkLimits) : wait;
  if (waitOfNetwork === 0) return networkLimits;
  // Recorded once per window, so that the audit log cannot be flooded. Emails contain no NUL.
  if ((await throttle.attempt([{ key: `throttled\0${network}`, failures: 1 }])) === 0) {
    await recordFailure(
      db,
      "user.sign_in_throttled",
      await db.user.findUnique({ where: { email } }),
      address,
    );
  }
  throw tooManyRequests(tooManyFailures, waitOfNetwork);
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
