import { randomUUID } from "node:crypto";
import { createDatabase, createPool, type Database, hashToken, recordAudit } from "@parley/database";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { deleteAuditEntries } from "../src/jobs/delete-audit-entries.ts";
import { deleteExpiredCredentials } from "../src/jobs/delete-expired-credentials.ts";
import { deleteIdempotencyKeys } from "../src/jobs/delete-idempotency-keys.ts";

let database: TestDatabase;
let db: Database;
let pool: ReturnType<typeof createPool>;
let owner: { organizationId: string; userId: string; clientId: string };
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 1 });
  pool = createPool(database.url, { poolSize: 1 });
});
afterAll(async () => {
  await pool.end();
  await db.$disconnect();
  await database.release();
});
beforeEach(async () => {
  const { id: organizationId } = await db.organization.create({ data: { name: "Old", plan: "pro" } });
  const email = `${randomUUID()}@example.com`;
  const user = await db.user.create({ data: { organizationId, email, name: "Uma", passwordHash: "none" } });
  const { id: clientId } = await db.oAuthClient.create({ data: { id: randomUUID(), name: "App" } });
  owner = { organizationId, userId: user.id, clientId };
});

const ago = (days: number) => new Date(Date.now() - days * 86_400_000);

async function grantOf(dates: { createdAt?: Date; revokedAt?: Date; lastUsedAt?: Date } = {}) {
  return (await db.oAuthGrant.create({ data: { ...owner, ...dates, scopes: [] } })).id;
}

/** @param name distinguishes the rows */
async function token(grantId: string, name: string, kind: string, expiresAt: Date, rotatedAt?: Date) {
  const tokenHash = hashToken(`${grantId} ${name}`);
  await db.oAuthToken.create({
    data: { tokenHash, kind, grantId, expiresAt, ...(rotatedAt && { rotatedAt }) },
  });
}

async function leftOf(grantId: string, names: string[]): Promise<string[]> {
  const rows = await db.oAuthToken.findMany({ where: { grantId } });
  const hashes = rows.map(({ tokenHash }) => Buffer.from(tokenHash).toString("hex"));
  return names.filter((name) =>
    hashes.includes(Buffer.from(hashToken(`${grantId} ${name}`)).toString("hex")),
  );
}

test("deletes expired tokens that are not needed to detect theft", async () => {
  const [alive, over] = [await grantOf(), await grantOf({ createdAt: ago(100) })];
  const names = ["access", "old access", "refresh", "expired", "rotated", "rotated long ago"];
  for (const grantId of [alive, over]) {
    await token(grantId, "old access", "access", ago(0.001));
    await token(grantId, "expired", "refresh", ago(1));
    await token(grantId, "rotated", "refresh", ago(29), ago(40));
    await token(grantId, "rotated long ago", "refresh", ago(31), ago(40));
  }
  await token(alive, "access", "access", ago(-0.01));
  await token(alive, "refresh", "refresh", ago(-1));

  await deleteExpiredCredentials(pool);
  expect(await leftOf(alive, names)).toEqual(["access", "refresh", "rotated"]);
  expect(await leftOf(over, names)).toEqual([]);
  expect(await db.oAuthGrant.findUnique({ where: { id: over } })).toBeNull();
});

test("deletes grants without tokens and codes a month after their end", async () => {
  const kept = [
    await grantOf({ createdAt: ago(90), revokedAt: ago(29) }),
    await grantOf({ createdAt: ago(90), lastUsedAt: ago(5) }),
    await grantOf(),
  ];
  const withToken = await grantOf({ createdAt: ago(90) });
  await token(withToken, "refresh", "refresh", ago(-1));
  const gone = [
    await grantOf({ createdAt: ago(90), revokedAt: ago(31) }),
    await grantOf({ createdAt: ago(31) }),
  ];
  await deleteExpiredCredentials(pool);
  for (const id of [...kept, withToken]) {
    expect(await db.oAuthGrant.findUnique({ where: { id } })).not.toBeNull();
  }
  for (const id of gone) expect(await db.oAuthGrant.findUnique({ where: { id } })).toBeNull();
});

test("deletes codes a day after they expire, and expired sessions, console links and rotated secrets", async () => {
  const grantId = await grantOf();
  const { userId, clientId } = owner;
  const code = (name: string, expiresAt: Date) => ({
    codeHash: hashToken(grantId + name),
    grantId,
    redirectUri: "https://a.example",
    expiresAt,
  });
  await db.oAuthAuthorizationCode.createMany({ data: [code("old", ago(1.1)), code("new", ago(0.9))] });
  const session = (expiresAt: Date) => ({ tokenHash: hashToken(randomUUID()), userId, expiresAt });
  await db.userSession.createMany({ data: [session(ago(0.01)), session(ago(-0.01))] });
  const { organizationId } = owner;
  const link = (expiresAt: Date) => ({
    ...{ tokenHash: hashToken(randomUUID()), organizationId, role: "member", name: "Ada", expiresAt },
    returnTo: "/console",
  });
  await db.consoleLink.createMany({ data: [link(ago(0.01)), link(ago(-0.01))] });
  const secret = (expiresAt: Date | null) => ({ secretHash: hashToken(randomUUID()), clientId, expiresAt });
  await db.oAuthClientSecret.createMany({ data: [secret(ago(0.01)), secret(ago(-0.01)), secret(null)] });

  await deleteExpiredCredentials(pool);
  expect(await db.oAuthAuthorizationCode.count({ where: { grantId } })).toBe(1);
  expect(await db.userSession.count({ where: { userId } })).toBe(1);
  expect(await db.consoleLink.count({ where: { organizationId } })).toBe(1);
  expect(await db.oAuthClientSecret.count({ where: { clientId } })).toBe(2);
});

test("deletes any number in batches, with every plan of PostgreSQL", async () => {
  const grantId = await grantOf();
  // Leaves a nested loop, which PostgreSQL may choose while a table has no statistics.
  for (const method of ["hashjoin", "hashagg", "mergejoin", "material", "sort", "seqscan"])
    await pool.query(`SET enable_${method} = off`);
  onTestFinished(async () => void (await pool.query("RESET ALL")));
  await pool.query(
    `INSERT INTO oauth_tokens (token_hash, kind, grant_id, expires_at)
     SELECT sha256(i::text::bytea), 'access', $1, now() - interval '1 day' FROM generate_series(1, 2500) AS i`,
    [grantId],
  );
  await deleteExpiredCredentials(pool);
  expect(await db.oAuthToken.count({ where: { grantId } })).toBe(0);
});

test("keeps the audit log for the configured days", async () => {
  const { organizationId } = owner;
  for (const days of [11, 9]) {
    const { id } = await recordAudit(db, { event: "user.signed_in", organizationId });
    await db.auditEntry.update({ where: { id }, data: { createdAt: ago(days) } });
  }
  await deleteAuditEntries(pool, 10);
  expect(await db.auditEntry.count({ where: { organizationId } })).toBe(1);
});

test("deletes each Idempotency-Key 24 hours after its use", async () => {
  const { organizationId } = owner;
  const key = (name: string, createdAt: Date) => ({
    organizationId,
    key: name,
    requestHash: new Uint8Array(32),
    createdAt,
  });
  await db.idempotencyKey.createMany({ data: [key("old", ago(1.01)), key("recent", ago(0.99))] });
  await deleteIdempotencyKeys(pool);
  const kept = await db.idempotencyKey.findMany({ where: { organizationId }, select: { key: true } });
  expect(kept).toEqual([{ key: "recent" }]);
});

test("deletes signing keys that are no longer published", async () => {
  const { organizationId } = owner;
  const key = { organizationId, publicKey: new Uint8Array(32), privateKey: new Uint8Array(1) };
  const published = [null, ago(-0.01)];
  for (const publishedUntil of [...published, ago(0.01)]) {
    await db.organizationSigningKey.create({ data: { ...key, signsFrom: ago(3), publishedUntil } });
  }
  await deleteExpiredCredentials(pool);
  const left = await db.organizationSigningKey.findMany({ where: { organizationId } });
  expect(left.map(({ publishedUntil }) => publishedUntil)).toEqual(published);
});
