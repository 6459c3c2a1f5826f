import type { Schemas } from "@parley/contract";
import { beforeEach, expect, test } from "vitest";
import { useApi } from "../../src/testing/api-server.ts";
import { createPlatform, type Platform, samples } from "../../src/testing/platform.ts";

const api = useApi();
let platform: Platform;
beforeEach(async () => {
  platform = await createPlatform(api);
});

const write = (changes: Partial<Schemas["PlatformMessageFeedback"]> = {}) =>
  platform.put("message_feedback", "thumb", {
    message_external_id: "greeting",
    rating: "negative",
    ...changes,
  });

test.each(["positive", "negative"] as const)("publishes %s feedback with its message", async (rating) => {
  const { data, result } = await write({ rating, comment: "That was not my question." });
  expect(result).toBe("created");
  const { conversation_id, chatbot_id } = data.attributes;
  const [greeting] = (await platform.seen(
    `/api/v1/conversations/${conversation_id}/messages`,
  )) as Schemas["Message"][];
  expect(data.attributes).toMatchObject({
    message_id: greeting?.id,
    chatbot_id: greeting?.attributes.chatbot_id,
    rating,
    comment: "That was not my question.",
  });
  expect(await platform.events()).toMatchObject([{ type: `message.feedback_${rating}`, chatbot_id, data }]);
});

test("publishes nothing if the same feedback is written again", async () => {
  const { data } = await write({ comment: "No." });
  await platform.types();
  expect(await write({ comment: "No." })).toEqual({ data, result: "unchanged" });
  expect(await write()).toEqual({ data, result: "unchanged" });
  expect(await platform.types()).toEqual([]);
});

test("publishes another rating, but not another comment; null clears the comment", async () => {
  const first = await write();
  expect(first.data.attributes.comment).toBeNull();
  await platform.types();
  const turned = await write({ rating: "positive" });
  expect(turned.result).toBe("updated");
  expect(turned.data.attributes).toEqual({ ...first.data.attributes, rating: "positive" });
  expect(await platform.events()).toMatchObject([{ type: "message.feedback_positive", data: turned.data }]);
  expect((await write({ rating: "positive", comment: "Yes!" })).data.attributes.comment).toBe("Yes!");
  expect((await write({ rating: "positive", comment: null })).result).toBe("updated");
  expect(await platform.types()).toEqual([]);
  await write();
  expect(await platform.types()).toEqual(["message.feedback_negative"]);
});

test("accepts feedback of several visitors on one message", async () => {
  const one = await write();
  const other = await platform.put("message_feedback", "thumb-2", samples.message_feedback);
  expect(other.data.id).not.toBe(one.data.id);
  expect(await platform.types()).toEqual(["message.feedback_negative", "message.feedback_positive"]);
});

test("rejects another message", async () => {
  await write();
  await platform.put("message", "other", samples.message);
  await platform.types();
  const moved = { message_external_id: "other", rating: "positive" };
  expect(await platform.refusal("message_feedback", "thumb", moved)).toBe(
    "body/message_external_id cannot be changed. Send the stored value, or leave the field out.",
  );
  expect(await platform.types()).toEqual([]);
});

test.each([
  [{ message_external_id: "none" }, "body/message_external_id must be the external_id of a message of the"],
  [{ rating: "5 stars" }, "body/rating must be one of positive, negative"],
  [{ rating: undefined }, "body/rating is required"],
  [{ comment: "x".repeat(5001) }, "body/comment must have at most 5000 characters"],
])("rejects %j with a description", async (change, message) => {
  const body = { ...samples.message_feedback, ...change };
  expect(await platform.refusal("message_feedback", "thumb", body)).toContain(message);
  expect([await platform.count("message_feedback"), await platform.types()]).toEqual([0, []]);
});

test("rejects feedback about a message that is deleted at the same time", async () => {
  await write();
  const refusal = await api.db.$transaction(async (tx) => {
    const { organizationId } = platform.tenant;
    const { conversationId } = await tx.message.findFirstOrThrow({
      where: { organizationId, externalId: "greeting" },
    });
    await tx.conversation.delete({ where: { id: conversationId } });
    const body = { message_external_id: "greeting", rating: "negative" } as const;
    const refused = platform.refusal("message_feedback", "thumb", body);
    await expect.poll(() => waitingForLocks()).toBe(1);
    return { refused };
  });
  expect(await refusal.refused).toBe(
    "body/message_external_id must be the external_id of a message of the organization",
  );
});

async function waitingForLocks(): Promise<number> {
  const [row] = await api.db.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return row.count;
}
