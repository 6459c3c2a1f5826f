import { afterAll, beforeAll, expect, test } from "vitest";
import { as, startApi, type TestApi } from "../src/testing/api-server.ts";
import { createTenant, issueToken } from "../src/testing/factories.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test.each([
  ["starter", 100],
  ["pro", 300],
  ["business", 1000],
] as const)("the %s plan has %d requests a minute, together for all its tokens", async (plan, limit) => {
  const tenant = await createTenant(api.db, { plan });
  const other = { ...tenant, ...(await issueToken(api.db, tenant, [])) };
  const first = await as(api, tenant)("GET", "/api/v1/me");
  expect(first.headers.get("x-ratelimit-limit")).toBe(String(limit));
  expect(first.headers.get("x-ratelimit-remaining")).toBe(String(limit - 1));
  expect(Number(first.headers.get("x-ratelimit-reset"))).toBeLessThanOrEqual(60);
  const reset = first.headers.get("x-ratelimit-reset");
  expect(first.headers.get("ratelimit")).toBe(`"plan";r=${limit - 1};t=${reset}`);
  expect(first.headers.get("ratelimit-policy")).toBe(`"plan";q=${limit};w=60`);

  const call = as(api, other);
  for (let used = 1; used < limit; used += 20) {
    const burst = Array.from({ length: Math.min(20, limit - used) }, () => call("GET", "/api/v1/me"));
    for (const response of await Promise.all(burst)) expect(response.status).toBe(200);
  }
  const refused = await call("GET", "/api/v1/leads?limit=nonsense"); // 429 comes before scope and validation.
  expect(refused.status).toBe(429);
  expect(await refused.json()).toEqual({
    error: "rate_limit_exceeded",
    error_description: "Rate limit exceeded. Retry after 60 seconds.",
  });
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);

  const stranger = await createTenant(api.db, { plan });
  expect((await as(api, stranger)("GET", "/api/v1/me")).status).toBe(200);
});
