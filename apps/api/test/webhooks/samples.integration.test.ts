import { eventTypes } from "@parley/contract";
import { checkEvent } from "@parley/contract/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Client,
  createClient,
  startWebhookApi,
  type WebhookApi,
} from "../../src/testing/webhook-api.ts";

let api: WebhookApi;
let client: Client;
beforeAll(async () => {
  api = await startWebhookApi();
  client = await createClient(api);
});
afterAll(() => api.close());

interface Samples {
  data: { type: string }[];
  meta: object;
}
const samples = (query = "") => client.take<Samples>("GET", `/api/v1/events/samples${query}`);

test.each(eventTypes)("the sample of %s has the format of a delivery", async (type) => {
  const { data, meta } = await samples(`?type=${type}`);
  expect(meta).toEqual({ api_version: "2024-01-01", total: 1, count: 1 });
  expect(data.map((event) => [event.type, checkEvent(type, event)])).toEqual([[type, []]]);
  expect(data[0]).not.toHaveProperty("test");
});

test("returns a sample of each type by default", async () => {
  expect((await samples()).data.map(({ type }) => type)).toEqual(eventTypes);
});

test("rejects an unknown type", async () => {
  expect((await client.call("GET", "/api/v1/events/samples?type=lead.exploded")).status).toBe(400);
});
