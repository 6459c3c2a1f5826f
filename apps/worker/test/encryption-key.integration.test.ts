import { createHmac, randomBytes } from "node:crypto";
import {
  createSecretBox,
  createSigningSecret,
  ensureSigningKey,
  keepVersion,
  reencrypt,
  storeHeaders,
} from "@parley/webhooks";
import { type Receiver, respondingWith, soon } from "@parley/webhooks/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { changeEncryptionKey } from "../src/jobs/change-encryption-key.ts";
import { startWorkerFixture, type WorkerFixture } from "../src/testing/worker-fixture.ts";

let fixture: WorkerFixture;
let receiver: Receiver;
let oldKey: Buffer;
beforeAll(async () => {
  fixture = await startWorkerFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  receiver = await fixture.startReceiver(respondingWith(200));
  oldKey = Buffer.from(fixture.encryptionKey, "base64");
});
afterEach(() => fixture.reset());

const newKey = randomBytes(32);
const bothKeys = () => createSecretBox(newKey, [randomBytes(32), oldKey]);

async function open(key: Buffer, id: string): Promise<[string, string | null]> {
  const box = createSecretBox(key);
  const { organizationId, secret, nextSecret } = await fixture.db.subscription.findUniqueOrThrow({
    where: { id },
  });
  return [box.decrypt(secret, organizationId), nextSecret && box.decrypt(nextSecret, organizationId)];
}

/** Delivers an event and checks that this secret signed it. */
async function deliversSignedBy(secret: string): Promise<void> {
  receiver.received.length = 0;
  await fixture.publish(1);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
  const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
  const text = `${headers["x-parley-timestamp"] as string}.${body}`;
  expect(headers["x-parley-signature"]).toBe(
    `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`,
  );
}

const spiedLog = () => ({ info: vi.fn<Log>(), warn: vi.fn<Log>(), error: vi.fn<Log>() });
type Log = (details: object, message: string) => void;

test("a worker with old and new key keeps signing; after re-encryption the old key can be removed", async () => {
  const { id, secret } = await fixture.subscribe(receiver.url);
  const PARLEY_ENCRYPTION_KEY = newKey.toString("base64");
  const changing = { PARLEY_ENCRYPTION_KEY, PARLEY_ENCRYPTION_KEYS_OLD: fixture.encryptionKey };
  const worker = await fixture.startWorker(changing);
  await deliversSignedBy(secret);
  await expect(open(newKey, id)).rejects.toThrow("unable to authenticate data");
  await reencrypt(fixture.pool, bothKeys());
  await deliversSignedBy(secret);
  await worker.stop();

  await fixture.startWorker({ PARLEY_ENCRYPTION_KEY });
  await deliversSignedBy(secret);
  expect(await open(newKey, id)).toEqual([secret, null]);
});

test("re-encrypts all secrets, next secrets and headers, only once", async () => {
  const next = createSigningSecret();
  const nextSecret = createSecretBox(oldKey).encrypt(next, fixture.organizationId);
  const first = await fixture.subscribe(receiver.url);
  await fixture.db.subscription.update({
    where: { id: first.id },
    data: {
      nextSecret,
      nextSecretAt: new Date(),
      ...storeHeaders({ "x-api-key": "1" }, createSecretBox(oldKey), fixture.organizationId),
    },
  });
  for (let i = 0; i < 3; i += 1) await fixture.subscribe(receiver.url);
  await fixture.db.$executeRaw`
    INSERT INTO subscriptions (organization_id, target_url, event_types, secret)
    SELECT organization_id, target_url, event_types, secret FROM subscriptions, generate_series(1, 150)`;
  const before = await fixture.db.subscription.findUniqueOrThrow({ where: { id: first.id } });
  expect(await reencrypt(fixture.pool, bothKeys())).toEqual({ reencrypted: 604, unreadable: [] });
  expect(await open(newKey, first.id)).toEqual([first.secret, next]);
  const { headers } = await fixture.db.subscription.findUniqueOrThrow({ where: { id: first.id } });
  expect(createSecretBox(newKey).decrypt(headers ?? new Uint8Array(), fixture.organizationId)).toBe(
    '{"x-api-key":"1"}',
  );
  expect(await fixture.db.subscription.findUniqueOrThrow({ where: { id: first.id } })).toMatchObject({
    updatedAt: before.updatedAt, // Nothing visible in the API has changed.
    nextSecretAt: before.nextSecretAt,
  });
  expect(await reencrypt(fixture.pool, bothKeys())).toEqual({ reencrypted: 0, unreadable: [] });
});

test("re-encrypts the next secret if only the secret uses the new key", async () => {
  const { id, secret } = await fixture.subscribe(receiver.url);
  const next = createSigningSecret();
  await fixture.db.subscription.update({
    where: { id },
    data: {
      secret: createSecretBox(newKey).encrypt(secret, fixture.organizationId),
      nextSecret: createSecretBox(oldKey).encrypt(next, fixture.organizationId),
    },
  });
  expect(await reencrypt(fixture.pool, bothKeys())).toEqual({ reencrypted: 1, unreadable: [] });
  expect(await open(newKey, id)).toEqual([secret, next]);
});

test("re-encrypts the earlier secrets of a subscription", async () => {
  const { id, secret } = await fixture.subscribe(receiver.url);
  const before = await fixture.db.subscription.findUniqueOrThrow({ where: { id } });
  await fixture.db.$transaction((tx) => keepVersion(tx, before));
  expect(await reencrypt(fixture.pool, bothKeys())).toEqual({ reencrypted: 2, unreadable: [] });
  const version = await fixture.db.subscriptionVersion.findFirstOrThrow();
  expect(createSecretBox(newKey).decrypt(version.secret, fixture.organizationId)).toBe(secret);
});

test("keeps a secret that was rotated at the same time", async () => {
  const { id } = await fixture.subscribe(receiver.url);
  const rotated = createSigningSecret();
  const secret = createSecretBox(newKey).encrypt(rotated, fixture.organizationId);
  async function query(text: string, values: unknown[]) {
    const response = await fixture.pool.query(text, values);
    if (text.startsWith("SELECT")) await fixture.db.subscription.update({ where: { id }, data: { secret } });
    return response;
  }
  expect((await reencrypt({ query } as never, bothKeys())).reencrypted).toBe(0);
  expect(await open(newKey, id)).toEqual([rotated, null]);
});

/** Creates the signing key of the organization, and returns its ID. */
async function createSigningKey(): Promise<string> {
  const { db, organizationId } = fixture;
  await db.$transaction((tx) => ensureSigningKey({ tx, organizationId }, createSecretBox(oldKey)));
  return (await db.organizationSigningKey.findFirstOrThrow()).id;
}

test("a worker keeps signing with the signing key; after re-encryption the old key can be removed", async () => {
  const id = await createSigningKey();
  const { id: subscription } = await fixture.subscribe(receiver.url);
  await fixture.db.subscription.update({ where: { id: subscription }, data: { publicKeySignature: true } });
  const where = { id };
  const before = await fixture.db.organizationSigningKey.findUniqueOrThrow({ where });
  expect(await reencrypt(fixture.pool, bothKeys())).toEqual({ reencrypted: 2, unreadable: [] });
  expect(await reencrypt(fixture.pool, bothKeys())).toEqual({ reencrypted: 0, unreadable: [] });
  const { privateKey } = await fixture.db.organizationSigningKey.findUniqueOrThrow({ where });
  expect(createSecretBox(newKey).decrypt(privateKey, fixture.organizationId)).toBe(
    createSecretBox(oldKey).decrypt(before.privateKey, fixture.organizationId),
  );

  await fixture.startWorker({ PARLEY_ENCRYPTION_KEY: newKey.toString("base64") });
  await fixture.publish(1);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
  expect(receiver.received[0]?.headers["webhook-signature"]).toMatch(/ v1a,[\w+/]{86}==$/);
});

test("logs a signing key that no key decrypts", async () => {
  const id = await createSigningKey();
  const privateKey = createSecretBox(randomBytes(32)).encrypt("lost", fixture.organizationId);
  await fixture.db.organizationSigningKey.update({ where: { id }, data: { privateKey } });
  const log = spiedLog();
  await changeEncryptionKey({ db: fixture.pool, secretBox: bothKeys(), log });
  const rows = [{ table: "organization_signing_keys", id }];
  expect(log.error).toHaveBeenCalledExactlyOnceWith({ rows }, expect.any(String));
});

test("logs a secret that no key decrypts, and re-encrypts the others", async () => {
  const lost = await fixture.subscribe(receiver.url);
  const encrypted = createSecretBox(randomBytes(32)).encrypt("lost", fixture.organizationId);
  await fixture.db.subscription.update({ where: { id: lost.id }, data: { secret: encrypted } });
  const { id, secret } = await fixture.subscribe(receiver.url);
  const log = spiedLog();
  await changeEncryptionKey({ db: fixture.pool, secretBox: bothKeys(), log });
  const rows = [{ table: "subscriptions", id: lost.id }];
  expect(log.error).toHaveBeenCalledExactlyOnceWith({ rows }, expect.any(String));
  expect(log.info).toHaveBeenCalledExactlyOnceWith({ reencrypted: 1 }, expect.any(String));
  expect(await open(newKey, id)).toEqual([secret, null]);
});

test("reads no secrets if there are no old keys", async () => {
  const query = vi.fn<WorkerFixture["pool"]["query"]>();
  const log = spiedLog();
  await changeEncryptionKey({ db: { query } as never, secretBox: createSecretBox(newKey), log });
  expect(query).not.toHaveBeenCalled();
  expect(log.info).not.toHaveBeenCalled();
});
