import { createHmac } from "node:crypto";
import { verifyWebhook } from "@parley/sdk/webhooks";
import type { Received, Receiver } from "@parley/webhooks/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  closeReceivers,
  deliveryAbout,
  header,
  lead,
  newReceiver,
  parse,
  type Subscription,
  signatureOf,
  soon,
  subscribe,
} from "./receiving.ts";
import { type Account, type Service, sharedService, timestamp } from "./service.ts";

// What arrives at the target URL of a subscription: headers, body and signature.

const path = "/api/v1/webhooks";
let service: Service;
let account: Account;
let receiver: Receiver;
/** Method and path of each received request. */
const requested: unknown[] = [];
let subscription: Subscription;
beforeAll(async () => {
  service = await sharedService();
  account = await service.createAccount("business");
  receiver = await newReceiver((response) => {
    requested.push([response.req.method, response.req.url]);
    response.end();
  });
  subscription = await subscribe(account, receiver);
});
afterAll(closeReceivers);

interface Rotation {
  secret: string;
  signs_from: string;
}

describe("a delivery", () => {
  let received: Received;
  const sent = (name: string) => header(received, name);
  beforeAll(async () => {
    const [id] = await account.write(lead("zoe", { contact: { name: "Zoë Müller 🦊" } }));
    received = await deliveryAbout(receiver, id);
  });

  test("is a POST of JSON to the target URL", () => {
    expect(requested[0]).toEqual(["POST", "/hook"]);
    expect(receiver.url.endsWith("/hook")).toBe(true);
    expect(sent("content-type")).toMatch(/^application\/json\b/);
    expect(parse(received).data.attributes).toMatchObject({ contact: { name: "Zoë Müller 🦊" } });
  });

  test("has id, type, api_version, created_at, chatbot_id and data in its body", () => {
    expect(parse(received)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: "lead.created",
      api_version: "2024-01-01",
      created_at: timestamp,
      chatbot_id: account.bot,
      data: { id: expect.any(String), type: "lead", attributes: expect.any(Object) },
    });
  });

  test("carries the record exactly as the API returns it", async () => {
    const { data } = parse(received);
    expect((await account.call("GET", `/api/v1/leads/${data.id}`)).body.data).toEqual(data);
  });

  test("X-Parley-Event is the event type", () => {
    expect(sent("x-parley-event")).toBe("lead.created");
  });

  test("X-Parley-Timestamp is the Unix time in seconds", () => {
    expect(sent("x-parley-timestamp")).toMatch(/^\d{10}$/);
    expect(Math.abs(Date.now() / 1_000 - Number(sent("x-parley-timestamp")))).toBeLessThan(60);
  });

  test("X-Parley-Delivery is the id of the delivery in the delivery log", async () => {
    const id = sent("x-parley-delivery");
    await vi.waitFor(async () => {
      const { status, body } = await account.call("GET", `${path}/${subscription.id}/deliveries/${id}`);
      expect([status, body.data]).toMatchObject([200, { id, attributes: { status: "delivered" } }]);
    }, soon);
  });

  test("X-Parley-Signature is sha256= and the hexadecimal HMAC SHA-256 of <timestamp>.<raw_body>", () => {
    expect(sent("x-parley-signature")).toBe(signatureOf(received, subscription.secret));
  });

  test("has exactly these X-Parley headers, and the headers of Standard Webhooks", () => {
    const names = Object.keys(received.headers).filter((name) => /^(x-parley|webhook)-/.test(name));
    expect(names.sort()).toEqual([
      "webhook-id",
      "webhook-signature",
      "webhook-timestamp",
      "x-parley-delivery",
      "x-parley-event",
      "x-parley-signature",
      "x-parley-timestamp",
    ]);
  });

  test("the Standard Webhooks headers hold the same id and timestamp, signed with the same secret", () => {
    expect(sent("webhook-id")).toBe(sent("x-parley-delivery"));
    expect(sent("webhook-timestamp")).toBe(sent("x-parley-timestamp"));
    const signed = `${sent("webhook-id")}.${sent("webhook-timestamp")}.${received.body}`;
    const digest = createHmac("sha256", subscription.secret).update(signed).digest("base64");
    expect(sent("webhook-signature")).toBe(`v1,${digest}`);
  });

  test("each subscription signs with its own secret and has its own delivery ID", async () => {
    const other = await newReceiver();
    const { secret } = await subscribe(account, other);
    const [id] = await account.write(lead("two-secrets"));
    const [one, two] = [await deliveryAbout(receiver, id), await deliveryAbout(other, id)];
    expect(one.body).toBe(two.body);
    expect(header(one, "x-parley-delivery")).not.toBe(header(two, "x-parley-delivery"));
    expect(header(one, "x-parley-signature")).toBe(signatureOf(one, subscription.secret));
    expect(header(two, "x-parley-signature")).toBe(signatureOf(two, secret));
  });
});

describe("the verification in the SDK", () => {
  let received: Received;
  let sentAt: number;
  beforeAll(async () => {
    const [id] = await account.write(lead("verified"));
    received = await deliveryAbout(receiver, id);
    sentAt = Number(header(received, "x-parley-timestamp"));
  });
  const verify = (changes: { payload?: string; headers?: object; secondsLater?: number; secret?: string }) =>
    verifyWebhook({
      payload: changes.payload ?? received.body,
      headers: { ...received.headers, ...changes.headers },
      secret: changes.secret ?? subscription.secret,
      now: () => (sentAt + (changes.secondsLater ?? 0)) * 1_000,
    });

  test.each([-300, 0, 300])("accepts a timestamp up to 300 seconds away: %i", async (secondsLater) => {
    expect(await verify({ secondsLater })).toEqual(parse(received));
  });

  test.each([
    [301, "timestamp_too_old"],
    [-301, "timestamp_in_future"],
  ])("rejects a timestamp over 300 seconds away, in either direction: %i", async (secondsLater, code) => {
    await expect(verify({ secondsLater })).rejects.toMatchObject({ code });
  });

  test("rejects a delivery without a timestamp", async () => {
    const headers = { "x-parley-timestamp": undefined };
    await expect(verify({ headers })).rejects.toMatchObject({ code: "missing_header" });
  });

  test("rejects another timestamp than the signed one", async () => {
    const headers = { "x-parley-timestamp": `${sentAt + 1}` };
    await expect(verify({ headers })).rejects.toMatchObject({ code: "signature_mismatch" });
  });

  test("rejects a body that was changed, and one that was parsed and serialized again", async () => {
    const changed = verify({ payload: received.body.replace("lead.created", "lead.updated") });
    await expect(changed).rejects.toMatchObject({ code: "signature_mismatch" });
    const indented = verify({ payload: JSON.stringify(JSON.parse(received.body), null, 2) });
    await expect(indented).rejects.toMatchObject({ code: "reserialized_payload" });
  });

  test("rejects another secret", async () => {
    await expect(verify({ secret: "parley_ws_another" })).rejects.toMatchObject({
      code: "signature_mismatch",
    });
  });
});

describe("rotating the secret", () => {
  const signedWith = (received: Received, secret: string) =>
    header(received, "x-parley-signature") === signatureOf(received, secret);

  test("returns a new secret; the old one signs for 24 hours, then the new one (the time is moved back)", async () => {
    const other = await newReceiver();
    const { id, secret } = await subscribe(account, other);
    const rotated = await account.call<Rotation>("POST", `${path}/${id}/rotate-secret`);
    expect([rotated.status, rotated.body]).toEqual([
      200,
      {
        data: { id, secret: expect.stringMatching(/^parley_ws_[\w-]{43}$/), signs_from: timestamp },
        meta: { api_version: "2024-01-01" },
      },
    ]);
    const { secret: newSecret, signs_from } = rotated.body.data;
    const wait = (Date.parse(signs_from) - Date.now()) / 1_000;
    expect(wait).toBeGreaterThan(86_400 - 60);
    expect(wait).toBeLessThanOrEqual(86_400);

    const [before] = await account.write(lead("before-change"));
    expect(signedWith(await deliveryAbout(other, before), secret)).toBe(true);
    await service.db.subscription.update({ where: { id }, data: { nextSecretAt: new Date() } });
    await workerIsDoneWith(id); // Its lease contains the former time of the change.
    const [after] = await account.write(lead("after-change"));
    expect(signedWith(await deliveryAbout(other, after), newSecret)).toBe(true);
  });

  test("signs with the new secret from now on if immediately is true", async () => {
    const other = await newReceiver();
    const { id } = await subscribe(account, other);
    const body = { immediately: true };
    const rotated = await account.call<Rotation>("POST", `${path}/${id}/rotate-secret`, body);
    const [next] = await account.write(lead("at-once"));
    expect(signedWith(await deliveryAbout(other, next), rotated.body.data.secret)).toBe(true);
  });

  /** Waits until the subscription is not leased, so that the worker reads the rows again. */
  async function workerIsDoneWith(subscriptionId: string): Promise<void> {
    await vi.waitFor(async () => {
      const queue = await service.db.subscriptionQueue.findUniqueOrThrow({ where: { subscriptionId } });
      expect(queue.leaseWorker).toBeNull();
    }, soon);
  }
});
