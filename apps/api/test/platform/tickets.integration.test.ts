import type { Schemas } from "@parley/contract";
import { beforeEach, expect, test } from "vitest";
import { useApi } from "../../src/testing/api-server.ts";
import { createPlatform, type Platform, samples } from "../../src/testing/platform.ts";

const api = useApi();
let platform: Platform;
beforeEach(async () => {
  platform = await createPlatform(api);
});

const write = (changes: Partial<Schemas["PlatformTicket"]> = {}) =>
  platform.put("ticket", "help-1", { subject: "Cannot sign in", ...changes });

test("creates a ticket with defaults and publishes it", async () => {
  const { data, result } = await write();
  expect(result).toBe("created");
  expect(data.attributes).toMatchObject({
    subject: "Cannot sign in",
    description: "",
    status: "open",
    priority: "normal",
    chatbot_id: null,
    lead_id: null,
    conversation_id: null,
    requester: { name: null, email: null },
    resolved_at: null,
  });
  expect(await platform.seen(`/api/v1/tickets/${data.id}`)).toEqual(data);
  expect(await platform.events()).toMatchObject([{ type: "ticket.created", chatbot_id: null, data }]);
});

test("sets its references; null clears a reference", async () => {
  const lead = await platform.put("lead", "ada", samples.lead);
  const { data } = await write({
    description: "The link does nothing.",
    requester: { name: "Ben", email: "ben@example.com" },
    chatbot_external_id: "bot",
    lead_external_id: "ada",
    conversation_external_id: "chat",
  });
  const talk = await platform.put("conversation", "chat", samples.conversation);
  const { chatbot_id } = talk.data.attributes;
  expect(data.attributes).toMatchObject({ chatbot_id, lead_id: lead.data.id, conversation_id: talk.data.id });
  const created = (await platform.events()).at(-1);
  expect(created).toMatchObject({ type: "ticket.created", chatbot_id, data });

  const emptied = await write({
    requester: { email: null },
    chatbot_external_id: null,
    lead_external_id: null,
    conversation_external_id: null,
  });
  const none = { chatbot_id: null, lead_id: null, conversation_id: null };
  expect(emptied.data.attributes).toMatchObject({
    ...none,
    description: "The link does nothing.",
    requester: { name: "Ben", email: null },
  });
  const [event, ...others] = await platform.events();
  expect(others).toEqual([]);
  expect(event).toMatchObject({ type: "ticket.updated", chatbot_id: null });
  const { lead_id, conversation_id, requester } = data.attributes;
  expect(event?.previous_attributes).toEqual({ chatbot_id, lead_id, conversation_id, requester });
});

test("is unchanged and not published if the state is the same", async () => {
  const state = { priority: "high", requester: { name: "Ben" }, chatbot_external_id: "bot" } as const;
  const { data } = await write(state);
  await platform.types();
  expect(await write(state)).toEqual({ data, result: "unchanged" });
  expect(await write()).toEqual({ data, result: "unchanged" });
  expect(await platform.types()).toEqual([]);
});

test("resolving sets the time and publishes one event; reopening clears the time, closing does not", async () => {
  await write();
  await platform.types();
  const resolved = await write({ status: "resolved", priority: "high" });
  const { attributes } = resolved.data;
  expect(attributes.resolved_at).toBe(attributes.updated_at);
  expect(await platform.events()).toMatchObject([
    {
      type: "ticket.updated",
      previous_attributes: { status: "open", priority: "normal", resolved_at: null },
      data: resolved.data,
    },
    { type: "ticket.resolved", data: resolved.data },
  ]);
  const closed = await write({ status: "closed" });
  expect(closed.data.attributes.resolved_at).toBe(attributes.resolved_at);
  expect(await platform.types()).toEqual(["ticket.updated"]);

  for (const status of ["open", "pending"] as const) {
    const reopened = await write({ status });
    expect(reopened.data.attributes).toMatchObject({ status, resolved_at: null });
    const again = (await write({ status: "resolved" })).data.attributes;
    expect(again.resolved_at).toBe(again.updated_at);
    expect(await platform.types()).toEqual(["ticket.updated", "ticket.updated", "ticket.resolved"]);
  }
});

test("publishes both events for a ticket created as resolved", async () => {
  const { attributes } = (await write({ status: "resolved" })).data;
  expect(attributes.resolved_at).toBe(attributes.created_at);
  expect(await platform.types()).toEqual(["ticket.created", "ticket.resolved"]);
});

test.each([
  [{ subject: undefined }, "body/subject is required"],
  [{ subject: "x".repeat(301) }, "body/subject must have at most 300 characters"],
  [{ status: "lost" }, "body/status must be one of open, pending, resolved, closed"],
  [{ priority: "high!" }, "body/priority must be one of low, normal, high, urgent"],
  [{ requester: { email: "ben" } }, "body/requester/email must be an email address"],
  [{ chatbot_external_id: "x" }, "body/chatbot_external_id must be the external_id of a chatbot of the org"],
  [{ lead_external_id: "x" }, "body/lead_external_id must be the external_id of a lead of the organization"],
  [{ conversation_external_id: "x" }, "body/conversation_external_id must be the external_id of a conversa"],
  [{ lead_external_id: "" }, "body/lead_external_id must not be empty"],
  [{ lead_external_id: 7 }, "body/lead_external_id must be a string"],
])("rejects %j with a description", async (change, message) => {
  expect(await platform.refusal("ticket", "help-1", { subject: "Help", ...change })).toContain(message);
  expect([await platform.count("ticket"), await platform.types()]).toEqual([0, []]);
});
