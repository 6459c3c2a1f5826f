import type { Schemas } from "@parley/contract";
import { findWrongCounts } from "@parley/database";
import { beforeEach, describe, expect, test } from "vitest";
import { as, asPlatform, useApi } from "../src/testing/api-server.ts";
import { createPlatform, type Platform, recordPath, samples } from "../src/testing/platform.ts";

const api = useApi();
let platform: Platform;
beforeEach(async () => {
  platform = await createPlatform(api);
});

const call = (method: string, path: string, body?: object) => as(api, platform.tenant)(method, path, body);
const byPlatform = (method: string, path: string) =>
  asPlatform(api, platform.tenant.organizationId)(method, path);

/** Lead, conversation with a message and its feedback, tool run, ticket and meeting, all with references. */
async function createRecords() {
  const lead = await platform.put("lead", "ada", { ...samples.lead, contact: { email: "ada@example.com" } });
  const refs = { lead_external_id: "ada" };
  const conversation = await platform.put("conversation", "talk", { ...samples.conversation, ...refs });
  await platform.put("message", "hello", { ...samples.message, conversation_external_id: "talk" });
  await platform.put("message_feedback", "good", {
    ...samples.message_feedback,
    message_external_id: "hello",
  });
  const ofTalk = { conversation_external_id: "talk" };
  await platform.put("tool_run", "run", { ...samples.tool_run, ...ofTalk });
  const ticket = await platform.put("ticket", "help", { ...samples.ticket, ...refs, ...ofTalk });
  const meeting = await platform.put("meeting", "demo", { ...samples.meeting, ...refs });
  await platform.events();
  return { lead: lead.data, conversation: conversation.data, ticket: ticket.data, meeting: meeting.data };
}

const attributes = async (path: string) =>
  ((await platform.seen(path)) as { attributes: Record<string, unknown> }).attributes;

async function total(list: string): Promise<number> {
  const response = await call("GET", `/api/v1/${list}?limit=1`);
  return ((await response.json()) as Schemas["LeadList"]).meta.total;
}

test("a lead is deleted; its conversation, ticket and meeting no longer refer to it", async () => {
  const { lead, conversation, ticket, meeting } = await createRecords();
  const response = await call("DELETE", `/api/v1/leads/${lead.id}`);
  expect([response.status, await response.json()]).toEqual([
    200,
    { data: { id: lead.id, deleted: true }, meta: { api_version: "2024-01-01" } },
  ]);
  expect((await call("GET", `/api/v1/leads/${lead.id}`)).status).toBe(404);
  expect(await total("leads")).toBe(0);
  for (const path of [
    `/api/v1/conversations/${conversation.id}`,
    `/api/v1/tickets/${ticket.id}`,
    `/api/v1/meetings/${meeting.id}`,
  ]) {
    expect(await attributes(path)).toMatchObject({ lead_id: null });
  }
  const after = await attributes(`/api/v1/tickets/${ticket.id}`);
  expect(after["updated_at"]).toBe(ticket.attributes.updated_at);
});

test("a conversation is deleted with its messages and feedback; its ticket and tool run are kept", async () => {
  const { conversation, ticket } = await createRecords();
  const counts = async () => ({
    messages: await platform.count("message"),
    feedback: await platform.count("message_feedback"),
    runs: await platform.count("tool_run"),
  });
  expect(await counts()).toEqual({ messages: 2, feedback: 1, runs: 1 });
  expect((await call("DELETE", `/api/v1/conversations/${conversation.id}`)).status).toBe(200);
  expect(await counts()).toEqual({ messages: 1, feedback: 0, runs: 1 });
  expect(await attributes(`/api/v1/tickets/${ticket.id}`)).toMatchObject({ conversation_id: null });
});

test("a deletion publishes no event, and keeps stored events and pending deliveries", async () => {
  const { organizationId } = platform.tenant;
  await call("POST", "/api/v1/webhooks/subscribe", {
    target_url: "https://hooks.example.com/parley",
    event_types: ["lead.created"],
  });
  const { lead } = await createRecords();
  const where = { organizationId };
  const before = [await api.db.event.count({ where }), await api.db.delivery.count({ where })];
  expect(before[1]).toBe(1);
  await call("DELETE", `/api/v1/leads/${lead.id}`);
  expect([await api.db.event.count({ where }), await api.db.delivery.count({ where })]).toEqual(before);
});

describe.each(["lead", "conversation", "ticket"] as const)("DELETE of a %s", (type) => {
  test("is 404 not_found the second time", async () => {
    const { [type]: record } = await createRecords();
    const path = `/api/v1/${type}s/${record.id}`;
    expect((await call("DELETE", path)).status).toBe(200);
    const again = await call("DELETE", path);
    expect([again.status, await again.json()]).toEqual([
      404,
      { error: "not_found", error_description: `No ${type} with this ID exists.` },
    ]);
    expect(await findWrongCounts(api.db)).toEqual([]);
  });
});

describe.each(["lead", "conversation", "ticket", "meeting"] as const)(
  "DELETE of a %s with the Platform API",
  (type) => {
    const path = recordPath(
      type,
      { lead: "ada", conversation: "talk", ticket: "help", meeting: "demo" }[type],
    );

    test("deletes the record once; writing it again creates another", async () => {
      const { [type]: record } = await createRecords();
      const response = await byPlatform("DELETE", path);
      expect([response.status, await response.json()]).toEqual([
        200,
        { data: { id: record.id, deleted: true }, meta: { api_version: "2024-01-01" } },
      ]);
      expect((await byPlatform("DELETE", path)).status).toBe(404);
      expect((await call("GET", `/api/v1/${type}s/${record.id}`)).status).toBe(404);
      const externalId = decodeURIComponent(path.split("/").at(-1) ?? "");
      const again = await platform.put(type, externalId, samples[type]);
      expect(again.result).toBe("created");
      expect(again.data.id).not.toBe(record.id);
      expect(await findWrongCounts(api.db)).toEqual([]);
    });

    test("does not delete the record of another organization", async () => {
      const { [type]: record } = await createRecords();
      const other = await createPlatform(api);
      const response = await asPlatform(api, other.tenant.organizationId)("DELETE", path);
      expect(response.status).toBe(404);
      expect((await call("GET", `/api/v1/${type}s/${record.id}`)).status).toBe(200);
    });
  },
);

test("deletions and writes of the same records at the same time get no server error, and totals stay exact", async () => {
  await createRecords();
  const refs = { lead_external_id: "ada" };
  const send = (method: string, path: string, body?: object) =>
    asPlatform(api, platform.tenant.organizationId)(method, path, body);
  const statuses: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const responses = await Promise.all([
      send("PUT", recordPath("lead", "ada"), { ...samples.lead, score: round }),
      send("PUT", recordPath("conversation", "talk"), { ...samples.conversation, ...refs }),
      send("PUT", recordPath("message", `m-${round}`), {
        ...samples.message,
        conversation_external_id: "talk",
      }),
      send("PUT", recordPath("message_feedback", `f-${round}`), {
        ...samples.message_feedback,
        message_external_id: `m-${round - 1}`,
      }),
      send("PUT", recordPath("ticket", "help"), { subject: `Round ${round}`, ...refs }),
      send("PUT", recordPath("meeting", "demo"), { ...samples.meeting, title: `Round ${round}`, ...refs }),
      send("DELETE", recordPath("lead", "ada")),
      send("DELETE", recordPath("conversation", "talk")),
    ]);
    statuses.push(...responses.map(({ status }) => status));
  }
  expect([...new Set(statuses)].filter((status) => ![200, 400, 404].includes(status))).toEqual([]);
  expect(await findWrongCounts(api.db)).toEqual([]);
});
