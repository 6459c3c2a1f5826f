import { createPublicKey, verify, type webcrypto } from "node:crypto";
import type { Received, Receiver } from "@parley/webhooks/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeReceivers, deliveryAbout, header, lead, newReceiver, subscribe } from "./receiving.ts";
import { type Account, type Service, sharedService, timestamp } from "./service.ts";

// Signatures that are verified with a public key, the public keys, their rotation, and the source addresses of deliveries.

const path = "/api/v1/webhooks";
const meta = { api_version: "2024-01-01" };
let service: Service;
let account: Account;
let receiver: Receiver;
beforeAll(async () => {
  service = await sharedService();
  account = await service.createAccount("business");
  receiver = await newReceiver();
});
afterAll(closeReceivers);

type Key = webcrypto.JsonWebKey & { kid: string };
const keysPath = ({ organizationId }: Account) => `/.well-known/parley/${organizationId}/webhook-keys.json`;
async function publishedKeys(): Promise<Key[]> {
  const { body } = await service.send("GET", keysPath(account));
  return (body as unknown as { keys: Key[] }).keys;
}

function isSignedBy(key: Key | undefined, delivery: Received): boolean {
  const [hmac = "", word = ""] = header(delivery, "webhook-signature").split(" ");
  expect([hmac, word]).toEqual([
    expect.stringMatching(/^v1,[\w+/]{43}=$/),
    expect.stringMatching(/^v1a,[\w+/]{86}==$/),
  ]);
  const signed = `${header(delivery, "webhook-id")}.${header(delivery, "webhook-timestamp")}.${delivery.body}`;
  const publicKey = createPublicKey({ key: key ?? {}, format: "jwk" });
  return verify(null, Buffer.from(signed), publicKey, Buffer.from(word.slice(4), "base64"));
}

describe("before a subscription uses a public key", () => {
  test("the keys are 404 not_found, without a token", async () => {
    const { status, body } = await service.send("GET", keysPath(account));
    expect([status, body.error]).toEqual([404, "not_found"]);
  });

  test("rotating the key is 400 invalid_request", async () => {
    const { status, body } = await account.call("POST", `${path}/signing-keys/rotate`);
    expect([status, body.error]).toEqual([400, "invalid_request"]);
  });

  test("public_key_signature must be a boolean", async () => {
    const wanted = { target_url: receiver.url, event_types: ["lead.created"], public_key_signature: "true" };
    const { status, body } = await account.call("POST", `${path}/subscribe`, wanted);
    expect([status, body.error]).toEqual([400, "invalid_request"]);
    expect(body.error_description).toContain("public_key_signature");
  });
});

describe("with public_key_signature", () => {
  let updated: object;
  beforeAll(async () => {
    const { id } = await subscribe(account, receiver);
    updated = (await account.call("PATCH", `${path}/${id}`, { public_key_signature: true })).body.data;
  });

  test("the subscription shows it, and the address of the keys", () => {
    expect(updated).toMatchObject({
      public_key_signature: true,
      public_keys_url: service.url + keysPath(account),
    });
  });

  test("the keys are a JWK Set with one Ed25519 key, which caches keep for 5 minutes", async () => {
    const { status, headers, body } = await service.send("GET", keysPath(account));
    expect([status, headers.get("cache-control")]).toEqual([200, "public, max-age=300"]);
    expect(body).toEqual({
      keys: [
        {
          kty: "OKP",
          crv: "Ed25519",
          x: expect.stringMatching(/^[\w-]{43}$/),
          kid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          use: "sig",
          alg: "EdDSA",
        },
      ],
    });
  });

  test("webhook-signature is v1 and v1a, the Ed25519 signature of <webhook-id>.<webhook-timestamp>.<raw_body>", async () => {
    const [id] = await account.write(lead("first", { contact: { name: "Zoë 🦊" } }));
    const delivery = await deliveryAbout(receiver, id);
    const [key] = await publishedKeys();
    expect(isSignedBy(key, delivery)).toBe(true);
    expect(isSignedBy(key, { ...delivery, body: `${delivery.body} ` })).toBe(false);
  });

  test("a rotation publishes the new key, which signs after 24 hours", async () => {
    const [old] = await publishedKeys();
    const { status, body } = await account.call<{ id: string; signs_from: string }>(
      "POST",
      `${path}/signing-keys/rotate`,
    );
    expect([status, body]).toEqual([
      200,
      {
        data: { id: body.data.id, signs_from: timestamp, public_keys_url: service.url + keysPath(account) },
        meta,
      },
    ]);
    expect(Math.abs(Date.parse(body.data.signs_from) - Date.now() - 86_400_000)).toBeLessThan(60_000);
    expect((await publishedKeys()).map(({ kid }) => kid)).toEqual([old?.kid, body.data.id]);
    const [id] = await account.write(lead("second"));
    expect(isSignedBy(old, await deliveryAbout(receiver, id))).toBe(true);
  });

  test("a rotation with immediately signs with the new key, and removes all others", async () => {
    const { body } = await account.call("POST", `${path}/signing-keys/rotate`, { immediately: true });
    const keys = await publishedKeys();
    expect(keys.map(({ kid }) => kid)).toEqual([body.data.id]);
    const [id] = await account.write(lead("third"));
    expect(isSignedBy(keys[0], await deliveryAbout(receiver, id))).toBe(true);
  });
});

test("the source addresses are empty unless the operator sets them", async () => {
  const { status, body } = await account.call("GET", `${path}/source-addresses`);
  expect([status, body]).toEqual([200, { data: { addresses: [] }, meta }]);
});
