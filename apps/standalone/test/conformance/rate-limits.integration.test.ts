import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Account, type Service, sharedService } from "./service.ts";

// How many requests a minute each plan allows.

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});

/** Returns X-RateLimit-Limit and X-RateLimit-Remaining. */
const standing = (headers: Headers) =>
  ["x-ratelimit-limit", "x-ratelimit-remaining"].map((name) => headers.get(name));

test.each([
  ["starter", 100],
  ["pro", 300],
  ["business", 1_000],
])("the %s plan allows %i requests a minute", async (plan, limit) => {
  const account = await service.createAccount(plan);
  const { status, headers } = await account.call("GET", "/api/v1/chatbots");
  expect([status, ...standing(headers)]).toEqual([200, `${limit}`, `${limit - 1}`]);
});

test("X-RateLimit-Reset counts the seconds until the next window, at most 60", async () => {
  const account = await service.createAccount("starter");
  const reset = async () =>
    Number((await account.call("GET", "/api/v1/chatbots")).headers.get("x-ratelimit-reset"));
  const first = await reset();
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThanOrEqual(60);
  await vi.waitFor(async () => expect(await reset()).toBeLessThan(first), { timeout: 20_000, interval: 250 });
});

describe("over the limit", () => {
  let account: Account;
  let leadsOnly: string;
  let meetingsOnly: string;
  const statuses: number[] = [];
  beforeAll(async () => {
    account = await service.createAccount("starter");
    leadsOnly = (await account.tokens("leads:read")).access_token;
    meetingsOnly = (await account.tokens("meetings:read")).access_token;
    const read = (n: number) =>
      n % 2 === 0
        ? account.call("GET", "/api/v1/chatbots")
        : service.send("GET", "/api/v1/chatbots", { token: leadsOnly });
    for (let sent = 0; sent < 100; sent += 10) {
      const responses = await Promise.all(Array.from({ length: 10 }, (_, n) => read(n)));
      statuses.push(...responses.map(({ status }) => status));
    }
  });

  test("are all requests after the first 100", () => {
    expect(statuses).toEqual(new Array(100).fill(200));
  });

  test("a request is 429, counted over all tokens of the organization", async () => {
    const refused = await service.send("GET", "/api/v1/chatbots", { token: leadsOnly });
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({
      error: "rate_limit_exceeded",
      error_description: "Rate limit exceeded. Retry after 60 seconds.",
    });
    expect(standing(refused.headers)).toEqual(["100", "0"]);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(Number(refused.headers.get("x-ratelimit-reset"))).toBe(wait);
  });

  test("a request is 429 even if it lacks a scope or is invalid, and changes nothing", async () => {
    const body = { chatbot_id: account.bot, contact: { name: "Ada Novak" } };
    const refused = [
      await account.call("POST", "/api/v1/leads", body),
      await account.call("GET", "/api/v1/leads?limit=0"),
      await service.send("GET", "/api/v1/leads", { token: meetingsOnly }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
    expect(await service.db.lead.count({ where: { organizationId: account.organizationId } })).toBe(0);
  });

  test("another organization has its own limit", async () => {
    const other = await service.createAccount("starter");
    expect((await account.call("GET", "/api/v1/chatbots")).status).toBe(429);
    expect((await other.call("GET", "/api/v1/chatbots")).status).toBe(200);
  });
});
