import { createHmac, randomUUID } from "node:crypto";
import { type Receiver, respondingWith, soon } from "@parley/webhooks/testing";
import { beforeEach, expect, test, vi } from "vitest";
import { useWebhookApi } from "../../src/testing/webhook-api.ts";

const { api, client } = useWebhookApi();
let receiver: Receiver;
beforeEach(async () => {
  receiver = await api.startReceiver(respondingWith(200));
});

const day = 86_400_000;

interface Rotated {
  id: string;
  secret: string;
  signs_from: string;
}
async function rotate(id: string, body?: object): Promise<Rotated> {
  return (await client.take<{ data: Rotated }>("POST", `/api/v1/webhooks/${id}/rotate-secret`, body)).data;
}

/** Delivers an event and returns which secret signed it. */
async function signer(secrets: Record<string, string>): Promise<string | undefined> {
  receiver.received.length = 0;
  await client.createLeads(1);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
  const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
  return Object.keys(secrets).find((name) => {
    const text = `${headers["x-parley-timestamp"] as string}.${body}`;
    const hmac = createHmac("sha256", secrets[name] ?? "")
      .update(text)
      .digest("hex");
    return headers["x-parley-signature"] === `sha256=${hmac}`;
  });
}

test("the new secret signs after 24 hours, is returned once and stored encrypted", async () => {
  const { id, secret: old } = await client.subscribe(receiver.url);
  await api.startWorker();
  const { secret: next, ...rotated } = await rotate(id);
  expect(next).toMatch(/^parley_ws_[\w-]{43}$/);
  expect(next).not.toBe(old);
  expect(rotated).toEqual({ id, signs_from: expect.any(String) });
  expect(Math.abs(Date.parse(rotated.signs_from) - Date.now() - day)).toBeLessThan(60_000);

  expect(await client.subscription(id)).toMatchObject({ rotates_at: rotated.signs_from });
  expect(JSON.stringify(await client.subscription(id))).not.toContain("parley_ws_");
  const row = await api.db.subscription.findUniqueOrThrow({ where: { id } });
  expect(Buffer.from(row.nextSecret ?? []).includes(next)).toBe(false);

  expect(await signer({ old, next })).toBe("old");
  api.clock.ahead = Date.parse(rotated.signs_from) - Date.now();
  expect(await signer({ old, next })).toBe("next");
});

test("the new secret signs immediately on request", async () => {
  const { id, secret: old } = await client.subscribe(receiver.url);
  await api.startWorker();
  expect(await signer({ old })).toBe("old");
  const { secret: next, signs_from } = await rotate(id, { immediately: true });
  expect(Date.parse(signs_from)).toBeLessThanOrEqual(Date.now());
  expect(await client.subscription(id)).toMatchObject({ rotates_at: null });
  expect(await signer({ old, next })).toBe("next");
});

test("a second rotation replaces a new secret that does not sign yet, but not a secret that already signs", async () => {
  const { id, secret: first } = await client.subscribe(receiver.url);
  const { secret: skipped } = await rotate(id);
  const { secret: second, signs_from } = await rotate(id);
  await api.startWorker();
  expect(await signer({ first, skipped, second })).toBe("first");
  api.clock.ahead = Date.parse(signs_from) - Date.now();
  expect(await signer({ first, skipped, second })).toBe("second");

  // As if a day had passed: the second signs, and the third will.
  await api.stopWorkers();
  await api.db.subscription.update({ where: { id }, data: { nextSecretAt: new Date() } });
  const { secret: third } = await rotate(id);
  await api.startWorker();
  expect(await signer({ first, second, third })).toBe("second");
  const { secret: fourth } = await rotate(id, { immediately: true });
  expect(await signer({ second, third, fourth })).toBe("fourth");
});

test("a rotation with the same Idempotency-Key runs once and returns the secret again", async () => {
  const { id } = await client.subscribe(receiver.url);
  const key = randomUUID();
  const path = `/api/v1/webhooks/${id}/rotate-secret`;
  const [one, two] = await Promise.all([
    client.post(path, { immediately: true }, key),
    client.post(path, { immediately: true }, key),
  ]);
  const responses = [(await one.json()) as { data: Rotated }, (await two.json()) as { data: Rotated }];
  expect(responses[0]).toEqual(responses[1]);
  await api.startWorker();
  expect(await signer({ shown: responses[0]?.data.secret ?? "" })).toBe("shown");
  const { response } = await api.db.idempotencyKey.findFirstOrThrow({ where: { key: { endsWith: key } } });
  expect(Buffer.from(response ?? []).includes("parley_ws_")).toBe(false);
});

test("concurrent rotations leave one of the returned secrets", async () => {
  const { id } = await client.subscribe(receiver.url);
  const shown = await Promise.all(Array.from({ length: 5 }, () => rotate(id, { immediately: true })));
  await api.startWorker();
  const secrets = shown.map(({ secret }) => secret);
  expect(secrets).toContain(await signer(Object.fromEntries(secrets.map((secret) => [secret, secret]))));
});
