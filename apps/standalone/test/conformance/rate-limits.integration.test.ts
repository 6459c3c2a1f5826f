import { afterAll, beforeAll, expect, test } from "vitest";
import { type Service, startService } from "./service.ts";

// How many requests a minute each plan allows.

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Returns X-RateLimit-Limit and X-RateLimit-Remaining. */
const standing = (headers: Headers) =>
  ["x-ratelimit-limit", "x-ratelimit-remaining"].map((name) => headers.get(name));

test.each([
  ["starter", 100],
  ["pro", 300],
  ["business", 1_000],
])(
  "the %s plan allows %i requests a minute, counted over all tokens of the organization",
  async (plan, limit) => {
    const account = await service.createAccount(plan);
    const tokens = [await account.tokens(), await account.tokens("leads:read")];
    const read = (n: number) =>
      service.send("GET", "/api/v1/chatbots", { token: tokens[n % 2]?.access_token ?? "" });

    const first = await read(0);
    expect(first.status).toBe(200);
    expect(standing(first.headers)).toEqual([`${limit}`, `${limit - 1}`]);
    const statuses = [first.status];
    while (statuses.length < limit) {
      const burst = Array.from({ length: Math.min(10, limit - statuses.length) }, (_, n) => read(n));
      statuses.push(...(await Promise.all(burst)).map(({ status }) => status));
    }
    expect(new Set(statuses)).toEqual(new Set([200]));

    const refused = await read(1);
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({
      error: "rate_limit_exceeded",
      error_description: "Rate limit exceeded. Retry after 60 seconds.",
    });
    expect(standing(refused.headers)).toEqual([`${limit}`, "0"]);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(Number(refused.headers.get("x-ratelimit-reset"))).toBe(wait);
  },
);

test("a request over the limit is 429 even if it lacks a scope or is invalid, and changes nothing", async () => {
  const account = await service.createAccount("starter");
  const body = { chatbot_id: account.bot, contact: { name: "Ada Novak" } };
  for (let sent = 0; sent < 100; sent += 10) {
    await Promise.all(Array.from({ length: 10 }, () => account.call("GET", "/api/v1/leads")));
  }
  const { access_token: token } = await account.tokens("meetings:read");
  const refused = [
    await account.call("POST", "/api/v1/leads", body),
    await account.call("GET", "/api/v1/leads?limit=0"),
    await service.send("GET", "/api/v1/leads", { token }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
  expect(await service.db.lead.count({ where: { organizationId: account.organizationId } })).toBe(0);
});

test("each organization has its own limit", async () => {
  const [busy, quiet] = [await service.createAccount("starter"), await service.createAccount("starter")];
  for (let sent = 0; sent < 101; sent += 1) await busy.call("GET", "/api/v1/chatbots");
  expect((await busy.call("GET", "/api/v1/chatbots")).status).toBe(429);
  expect((await quiet.call("GET", "/api/v1/chatbots")).status).toBe(200);
});

test("X-RateLimit-Reset counts the seconds until the next window, at most 60", async () => {
  const account = await service.createAccount("starter");
  const reset = async () =>
    Number((await account.call("GET", "/api/v1/chatbots")).headers.get("x-ratelimit-reset"));
  const first = await reset();
  expect(first).toBeGreaterThan(55);
  expect(first).toBeLessThanOrEqual(60);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect(await reset()).toBeLessThan(first);
});
