import { expect, onTestFinished, test } from "vitest";
import { startApi } from "../../src/testing/api-server.ts";
import { createClient } from "../../src/testing/webhook-api.ts";

async function addressesOf(variables: Parameters<typeof startApi>[0]): Promise<unknown> {
  const api = await startApi(variables);
  onTestFinished(() => api.close());
  return (await createClient(api)).take("GET", "/api/v1/webhooks/source-addresses");
}
const meta = { api_version: "2024-01-01" };

test("source addresses are empty by default", async () => {
  expect(await addressesOf({})).toEqual({ data: { addresses: [] }, meta });
});

test("source addresses are those of the operator", async () => {
  const WEBHOOK_SOURCE_ADDRESSES = "203.0.113.16/28, 2001:DB8:10::/64,198.51.100.7";
  expect(await addressesOf({ WEBHOOK_SOURCE_ADDRESSES })).toEqual({
    data: { addresses: ["203.0.113.16/28", "2001:db8:10::/64", "198.51.100.7/32"] },
    meta,
  });
});
