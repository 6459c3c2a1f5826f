import { expect, test } from "vitest";
import { Parley } from "../../src/index.ts";
import { mockCall, mockList, responseExample } from "../../src/testing/index.ts";

const parley = new Parley({ baseUrl: "https://parley.example.com", accessToken: "parley_at_0" });

test("mocks a method that returns a record", async () => {
  parley.leads.get = () => mockCall(responseExample("getLead", { data: { id: "lead-1" } }));
  expect((await parley.leads.get("any")).data.id).toBe("lead-1");
  expect((await parley.leads.get("any").withResponse()).response.status).toBe(200);
});

test("mocks a method that returns a list, which can be awaited, iterated and read by page", async () => {
  const leads = ["a", "b", "c"].map((id) => ({ ...responseExample("getLead").data, id }));
  parley.leads.list = () => mockList(leads, 2);
  const { data, meta } = await parley.leads.list();
  expect(data.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(meta).toMatchObject({ total: 3, limit: 2, offset: 0, has_more: true, count: 2 });
  const ids: string[] = [];
  for await (const { id } of parley.leads.list()) ids.push(id);
  expect(ids).toEqual(["a", "b", "c"]);
  const counts: number[] = [];
  for await (const page of parley.leads.list().pages()) counts.push(page.data.length);
  expect(counts).toEqual([2, 1]);
});

test("mocks an empty list", async () => {
  parley.tickets.list = () => mockList([]);
  expect(await parley.tickets.list()).toMatchObject({ data: [], meta: { total: 0, has_more: false } });
});
