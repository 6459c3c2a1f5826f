import { expect, test } from "vitest";
import { as, useApi } from "../src/testing/api-server.ts";
import { createTenant, issueToken } from "../src/testing/factories.ts";

const api = useApi();

test.each([
  ["starter", 100],
  ["pro", 300],
  ["business", 1000],
] as const)("the %s plan has %d requests a minute", async (plan, limit) => {
  const { headers } = await as(api, await createTenant(api.db, { plan }))("GET", "/api/v1/me");
  expect(headers.get("x-ratelimit-limit")).toBe(String(limit));
  expect(headers.get("x-ratelimit-remaining")).toBe(String(limit - 1));
  const reset = headers.get("x-ratelimit-reset");
  expect(Number(reset)).toBeLessThanOrEqual(60);
  expect(headers.get("ratelimit")).toBe(`"plan";r=${limit - 1};t=${reset}`);
  expect(headers.get("ratelimit-policy")).toBe(`"plan";q=${limit};w=60`);
});

test("refuses requests over the limit, together for all tokens of the organization", async () => {
  const tenant = await createTenant(api.db, { plan: "starter" });
  const call = as(api, { ...tenant, ...(await issueToken(api.db, tenant, [])) });
  for (let used = 0; used < 100; used += 20) {
    const burst = Array.from({ length: 20 }, (_, i) =>
      (i % 2 === 0 ? call : as(api, tenant))("GET", "/api/v1/me"),
    );
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

  const stranger = await createTenant(api.db, { plan: "starter" });
  expect((await as(api, stranger)("GET", "/api/v1/me")).status).toBe(200);
});
