import { eventTypes } from "@parley/contract";
import { checkEvent } from "@parley/contract/testing";
import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, useWebhookApi } from "../../src/testing/webhook-api.ts";

const { api } = useWebhookApi();
let client: Client;
beforeAll(async () => {
  client = await createClient(api);
});

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
