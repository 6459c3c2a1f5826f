/** Signatures that are verified with a public key of the organization. */
import { createPublicKey, randomUUID, verify } from "node:crypto";
import type { Schemas } from "@parley/contract";
import { verifyWebhookWithPublicKey, webhookPublicKeys } from "@parley/sdk/webhooks/public-key";
import { type Received, type Receiver, respondingWith, soon } from "@parley/webhooks/testing";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createClient, useWebhookApi } from "../../src/testing/webhook-api.ts";

const { api, client } = useWebhookApi();
let receiver: Receiver;
beforeEach(async () => {
  receiver = await api.startReceiver();
});

type Key = Schemas["WebhookPublicKey"];
type Rotated = Schemas["RotatedSigningKey"];
const day = 86_400_000;
const keyed = { public_key_signature: true };

const keysUrl = (organizationId: string) =>
  `${api.url}/.well-known/parley/${organizationId}/webhook-keys.json`;
async function publishedKeys(of = client): Promise<Key[]> {
  const response = await api.fetch(keysUrl(of.tenant.organizationId));
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "public, max-age=300"]);
  return ((await response.json()) as Schemas["WebhookPublicKeys"]).keys;
}

async function rotate(body?: object): Promise<Rotated> {
  return (await client.take<{ data: Rotated }>("POST", "/api/v1/webhooks/signing-keys/rotate", body)).data;
}

/** Publishes an event and returns its delivery. */
async function deliver(): Promise<Received> {
  receiver.received.length = 0;
  await client.createLeads(1);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
  return receiver.received[0] as Received;
}

/** Returns the signed text and the signature of a delivery. */
function signedParts({ headers, body }: Received): { text: string; signature: Buffer } {
  const words = String(headers["webhook-signature"]).split(" ");
  expect(words.map((word) => word.split(",")[0])).toEqual(["v1", "v1a"]);
  const text = `${headers["webhook-id"] as string}.${headers["webhook-timestamp"] as string}.${body}`;
  return { text, signature: Buffer.from(words[1]?.slice(4) ?? "", "base64") };
}

/** Returns the ID of the key that signed a delivery; undefined if it is none of the keys. */
function signerOf(delivery: Received, keys: Key[]): string | undefined {
  const { text, signature } = signedParts(delivery);
  const isSigner = (key: Key) =>
    verify(null, Buffer.from(text), createPublicKey({ key: { ...key }, format: "jwk" }), signature);
  return keys.find(isSigner)?.kid;
}

describe("a subscription with public_key_signature", () => {
  test("shows it with the address of the keys, and others do not", async () => {
    const created = await client.subscribe(receiver.url, keyed);
    const shown = { ...keyed, public_keys_url: keysUrl(client.tenant.organizationId) };
    expect(created).toMatchObject(shown);
    expect(await client.subscription(created.id)).toMatchObject(shown);
    const other = await client.subscribe(receiver.url, { public_key_signature: false });
    for (const body of [other, await client.subscription(other.id)]) {
      expect(body).not.toHaveProperty("public_key_signature");
      expect(body).not.toHaveProperty("public_keys_url");
    }
  });

  test("signs deliveries and tests with the published Ed25519 key", async () => {
    const { id } = await client.subscribe(receiver.url, keyed);
    const [key] = await publishedKeys();
    expect(key).toEqual({
      kty: "OKP",
      crv: "Ed25519",
      x: expect.stringMatching(/^[\w-]{43}$/),
      kid: expect.any(String),
      use: "sig",
      alg: "EdDSA",
    });
    await api.startWorker();
    expect(signerOf(await deliver(), [key as Key])).toBe(key?.kid);
    await client.take("POST", `/api/v1/webhooks/${id}/test`);
    expect(signerOf(receiver.received[1] as Received, [key as Key])).toBe(key?.kid);
  });

  test("keeps both signatures in the log of a failed attempt", async () => {
    const { id } = await client.subscribe(receiver.url, { ...keyed, headers: { "x-api-key": "1" } });
    receiver.respond = respondingWith(503);
    const path = `/api/v1/webhooks/${id}`;
    const sent = await client.take<{ data: Schemas["Delivery"] }>("POST", `${path}/test`);
    const logged = await client.take<{ data: Schemas["DeliveryDetails"] }>(
      "GET",
      `${path}/deliveries/${sent.data.id}`,
    );
    const headers = logged.data.attributes.attempts[0]?.request?.headers;
    expect(headers).toMatchObject({
      "webhook-signature": receiver.received[0]?.headers["webhook-signature"],
      "x-parley-signature": receiver.received[0]?.headers["x-parley-signature"],
      "x-api-key": "[redacted]",
    });
    expect(headers?.["webhook-signature"]).toContain(" v1a,");
  });

  test("can opt in and out later", async () => {
    const { id } = await client.subscribe(receiver.url);
    const update = (value: boolean) =>
      client.take<{ data: object }>("PATCH", `/api/v1/webhooks/${id}`, { public_key_signature: value });
    await api.startWorker();
    expect((await deliver()).headers["webhook-signature"]).not.toContain("v1a");
    expect((await update(true)).data).toMatchObject(keyed);
    expect(signerOf(await deliver(), await publishedKeys())).toBeDefined();
    expect((await update(false)).data).not.toHaveProperty("public_key_signature");
    expect((await deliver()).headers["webhook-signature"]).not.toContain("v1a");
  });
});

describe("the keys of an organization", () => {
  test("are one key for all its subscriptions, also if they opt in at the same time", async () => {
    const { id } = await client.subscribe(receiver.url);
    await Promise.all([
      ...[1, 2, 3, 4].map(() => client.subscribe(receiver.url, keyed)),
      client.take("PATCH", `/api/v1/webhooks/${id}`, keyed),
    ]);
    expect(await publishedKeys()).toHaveLength(1);
  });

  test("do not verify deliveries of another organization", async () => {
    const other = await createClient(api);
    await other.subscribe(receiver.url, keyed);
    await client.subscribe(receiver.url, keyed);
    await api.startWorker();
    const delivery = await deliver();
    expect(signerOf(delivery, await publishedKeys(other))).toBeUndefined();
    expect(signerOf(delivery, await publishedKeys())).toBeDefined();
  });

  test("are stored encrypted, for this organization only", async () => {
    await client.subscribe(receiver.url, keyed);
    const { organizationId } = client.tenant;
    const { privateKey } = await api.db.organizationSigningKey.findFirstOrThrow({
      where: { organizationId },
    });
    expect(api.secretBox.decrypt(privateKey, organizationId)).toMatch(/^MC4CAQAwBQYDK2VwBCIEI/);
    expect(() => api.secretBox.decrypt(privateKey, randomUUID())).toThrow("unable to authenticate data");
  });

  test.each([
    ["an unknown organization", () => randomUUID()],
    ["an organization without keys", () => client.tenant.organizationId],
    ["no ID", () => "acme"],
  ])("are not found for %s", async (_, organizationId) => {
    const response = await api.fetch(keysUrl(organizationId()));
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: "not_found", error_description: "No organization with this ID has public keys." },
    ]);
  });

  test("can be read by a page of any origin", async () => {
    await client.subscribe(receiver.url, keyed);
    const response = await api.fetch(keysUrl(client.tenant.organizationId), {
      headers: { origin: "https://app.example.com" },
    });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("a rotation", () => {
  test("publishes the new key, signs with it after 24 hours, and keeps the old key for 24 hours more", async () => {
    await client.subscribe(receiver.url, keyed);
    const [old] = await publishedKeys();
    await api.startWorker();
    expect(signerOf(await deliver(), await publishedKeys())).toBe(old?.kid);
    const { id, signs_from, public_keys_url } = await rotate();
    expect(public_keys_url).toBe(keysUrl(client.tenant.organizationId));
    expect(Math.abs(Date.parse(signs_from) - Date.now() - day)).toBeLessThan(60_000);
    const published = await publishedKeys();
    expect(published.map(({ kid }) => kid)).toEqual([old?.kid, id]);
    expect(signerOf(await deliver(), published)).toBe(old?.kid);
    // The worker that leases the subscription changes the key without reading it again.
    api.clock.ahead = Date.parse(signs_from) - Date.now();
    expect(signerOf(await deliver(), published)).toBe(id);
    const { publishedUntil } = await api.db.organizationSigningKey.findUniqueOrThrow({
      where: { id: old?.kid ?? "" },
    });
    expect(publishedUntil?.getTime()).toBe(Date.parse(signs_from) + day);
  });

  test("removes the old key from the published ones when its time has passed", async () => {
    await client.subscribe(receiver.url, keyed);
    const [old] = await publishedKeys();
    const { id } = await rotate();
    await api.db.organizationSigningKey.update({
      where: { id: old?.kid ?? "" },
      data: { signsFrom: new Date(Date.now() - 3 * day), publishedUntil: new Date(Date.now() - 1) },
    });
    expect((await publishedKeys()).map(({ kid }) => kid)).toEqual([id]);
  });

  test("signs immediately and removes all other keys on request", async () => {
    const { id: subscription } = await client.subscribe(receiver.url, keyed);
    const [leaked] = await publishedKeys();
    await api.startWorker();
    expect(signerOf(await deliver(), await publishedKeys())).toBe(leaked?.kid);
    await rotate();
    const { id, signs_from } = await rotate({ immediately: true });
    expect(Date.parse(signs_from)).toBeLessThanOrEqual(Date.now());
    const published = await publishedKeys();
    expect(published.map(({ kid }) => kid)).toEqual([id]);
    expect(signerOf(await deliver(), published)).toBe(id);
    await client.take("POST", `/api/v1/webhooks/${subscription}/test`);
    expect(signerOf(receiver.received[1] as Received, published)).toBe(id);
  });

  test("needs no restart of a receiver with the SDK, which then rejects the old key", async () => {
    await client.subscribe(receiver.url, keyed);
    const publicKeys = webhookPublicKeys(keysUrl(client.tenant.organizationId), { minIntervalMs: 0 });
    const typeOf = ({ headers, body: payload }: Received) =>
      verifyWebhookWithPublicKey({ headers, payload, publicKeys }).then(({ type }) => type);
    await api.startWorker();
    const old = await deliver();
    expect(await typeOf(old)).toBe("lead.created");
    await rotate({ immediately: true });
    expect(await typeOf(await deliver())).toBe("lead.created");
    await expect(typeOf(old)).rejects.toMatchObject({ code: "signature_mismatch" });
  });

  test("replaces a new key that does not sign yet", async () => {
    await client.subscribe(receiver.url, keyed);
    const [old] = await publishedKeys();
    await rotate();
    const { id, signs_from } = await rotate();
    expect((await publishedKeys()).map(({ kid }) => kid)).toEqual([old?.kid, id]);
    const { publishedUntil } = await api.db.organizationSigningKey.findUniqueOrThrow({
      where: { id: old?.kid ?? "" },
    });
    expect(publishedUntil?.getTime()).toBe(Date.parse(signs_from) + day);
  });

  test("leaves one key that signs, also if several run at the same time", async () => {
    await client.subscribe(receiver.url, keyed);
    const rotated = await Promise.all([1, 2, 3, 4].map((n) => rotate({ immediately: n % 2 === 0 })));
    await api.startWorker();
    const published = await publishedKeys();
    expect(published.length).toBeLessThanOrEqual(2);
    expect(rotated.map(({ id }) => id)).toContain(signerOf(await deliver(), published));
  });

  test("runs once for an Idempotency-Key", async () => {
    await client.subscribe(receiver.url, keyed);
    const key = randomUUID();
    const path = "/api/v1/webhooks/signing-keys/rotate";
    const [one, two] = [await client.post(path, undefined, key), await client.post(path, undefined, key)];
    expect(await two.json()).toEqual(await one.json());
    expect(await publishedKeys()).toHaveLength(2);
  });

  test("is refused without a key", async () => {
    const response = await client.call("POST", "/api/v1/webhooks/signing-keys/rotate");
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        error: "invalid_request",
        error_description:
          "The organization has no signing key yet. Set `public_key_signature` of a webhook subscription to true first.",
      },
    ]);
  });
});
