import type { Schemas } from "@parley/contract";
import { expect, test } from "vitest";
import { as, useApi } from "../src/testing/api-server.ts";
import { createTenant } from "../src/testing/factories.ts";

const api = useApi({
  WEBHOOKS_ALLOW_LOOPBACK: "false",
  WEBHOOKS_ALLOW_ADDRESSES: "10.20.0.0/16",
  MAX_SUBSCRIPTIONS: "100",
});

const blocked = "must not point to a private, local or reserved address";

test("allows the operator's address ranges when a subscription is created and updated", async () => {
  const call = as(api, await createTenant(api.db));
  const port = new URL(api.url).port;
  const created = await call("POST", "/api/v1/webhooks/subscribe", {
    target_url: "https://10.20.0.1/",
    event_types: ["lead.created"],
  });
  expect(created.status).toBe(201);
  const { data } = (await created.json()) as { data: Schemas["CreatedSubscription"] };
  for (const host of [
    "10.21.0.1",
    `127.0.0.1:${port}`,
    `[::1]:${port}`,
    `0.0.0.0:${port}`,
    `localhost:${port}`,
    "2130706433",
    "169.254.169.254",
    "[::ffff:169.254.169.254]",
    "[64:ff9b::10.20.0.1]",
  ]) {
    const change = { target_url: `https://${host}/` };
    for (const response of [
      await call("POST", "/api/v1/webhooks/subscribe", { ...change, event_types: ["lead.created"] }),
      await call("PATCH", `/api/v1/webhooks/${data.id}`, change),
    ]) {
      expect(response.status).toBe(400);
      const { error_description: message } = (await response.json()) as Schemas["ApiError"];
      expect(message).toContain(`body/target_url ${blocked}`);
    }
  }
});

test("blocks a test to the server's own port", async () => {
  const tenant = await createTenant(api.db);
  const call = as(api, tenant);
  const created = await call("POST", "/api/v1/webhooks/subscribe", {
    target_url: "https://hooks.example.com/",
    event_types: ["lead.created"],
  });
  const { data } = (await created.json()) as { data: Schemas["CreatedSubscription"] };
  await api.db.subscription.update({ where: { id: data.id }, data: { targetUrl: `${api.url}/healthz` } });
  const response = await call("POST", `/api/v1/webhooks/${data.id}/test`, {});
  expect(response.status).toBe(200);
  expect(JSON.stringify(await response.json())).toContain("blocked address: 127.0.0.1 is a private");
});
