import { createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import pLimit from "p-limit";

const deriveKey = promisify<
  string,
  Buffer,
  number,
  { N: number; r: number; p: number; maxmem: number },
  Buffer
>(scrypt);

/** Cost of a hash, the parameters of scrypt (RFC 7914, section 2). */
interface Cost {
  N: number;
  r: number;
  p: number;
}

/** A hash needs about 16 MiB and takes a few tens of milliseconds. */
const slow: Cost = { N: 16384, r: 8, p: 5 };

/** For passwords that protect nothing: those of the demo, which are public, and of tests. */
export const cheapHash: Cost = { N: 2, r: 1, p: 1 };

const maxmem = 64 * 1024 * 1024;
const keyBytes = 32;

/** Checks that run at the same time, and checks that wait. */
function lane(concurrency: number) {
  return { limit: pLimit(concurrency), maxWaiting: 20 * concurrency, inProgress: new Map<string, number>() };
}

/**
 * Lanes of password checks. Sign-ins from a network from which the user signed in before do not wait behind others. At most three checks run, so
 * that one of libuv's four threads is left for DNS lookups and files. In each lane, about three seconds of work may wait.
 */
const lanes = { known: lane(1), other: lane(Math.max(1, Math.min(2, availableParallelism() - 1))) };

/** Lane of a password check. */
export type PasswordLane = keyof typeof lanes;

/** Too many passwords are waiting to be hashed. */
export class PasswordQueueFullError extends Error {
  constructor() {
    super("Too many passwords are being checked. Try again in a few seconds.");
  }
}

/**
 * Runs a check that includes `verifyPassword`. If too many checks are in progress, or half of the lane is taken by one owner, rejects
 * without running it.
 *
 * @param owner whose places are counted, for example a network or an organization
 * @throws PasswordQueueFullError
 */
export async function runPasswordCheck<Result>(
  name: PasswordLane,
  owner: string,
  check: () => Promise<Result>,
): Promise<Result> {
  const { inProgress, maxWaiting } = lanes[name];
  const own = inProgress.get(owner) ?? 0;
  const total = [...inProgress.values()].reduce((sum, count) => sum + count, 0);
  if (total >= maxWaiting || own >= maxWaiting / 2) throw new PasswordQueueFullError();
  inProgress.set(owner, own + 1);
  try {
    return await check();
  } finally {
    const left = (inProgress.get(owner) ?? 1) - 1;
    if (left === 0) inProgress.delete(owner);
    else inProgress.set(owner, left);
  }
}

async function derive(name: PasswordLane, ...request: Parameters<typeof deriveKey>): Promise<Buffer> {
  const { limit, maxWaiting } = lanes[name];
  if (limit.pendingCount >= maxWaiting) throw new PasswordQueueFullError();
  return limit(() => deriveKey(...request));
}

/**
 * Hashes a password as `scrypt$N$r$p$salt$key`, salt and key in base64url.
 *
 * @param cost parameters of scrypt. Default: those for passwords of users
 * @throws PasswordQueueFullError
 */
export async function hashPassword(password: string, cost: Cost = slow): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive("other", password.normalize("NFC"), salt, keyBytes, { ...cost, maxmem });
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/**
 * Checks a password against its hash. Takes the same time for a wrong password as for the correct one.
 *
 * @throws PasswordQueueFullError
 */
export async function verifyPassword(
  password: string,
  hash: string,
  name: PasswordLane = "other",
): Promise<boolean> {
  const [, N, r, p, salt = "", key = ""] = hash.split("$");
  const expected = Buffer.from(key, "base64url");
  const parameters = { N: Number(N), r: Number(r), p: Number(p), maxmem };
  const actual = await derive(
    name,
    password.normalize("NFC"),
    Buffer.from(salt, "base64url"),
    expected.length,
    parameters,
  );
  return timingSafeEqual(actual, expected);
}

/** Returns the SHA-256 of a token or client secret. Tokens and secrets are random, so they need no slow hash. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(token).digest());
}
