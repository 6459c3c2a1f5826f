import { expect, test } from "vitest";
import { filterRows, pageRows, statusRows } from "./list-rows.ts";
import { type Resource, timestamp, useAccount } from "./service.ts";

// GET and POST /api/v1/conversations and the messages of a conversation.

const path = "/api/v1/conversations";
const { service, account } = useAccount();

test("a conversation has id, type and attributes; a field without a value is null", async () => {
  const [id] = await account.write(["conversation", "chat", { chatbot_external_id: "bot" }]);
  const { data } = (await account.call<Resource[]>("GET", path)).body;
  expect(data).toEqual([
    {
      id,
      type: "conversation",
      attributes: {
        chatbot_id: account.bot,
        lead_id: null,
        status: "open",
        channel: "web",
        visitor: { name: null, email: null },
        sentiment: null,
        message_count: 0,
        started_at: timestamp,
        ended_at: null,
        updated_at: timestamp,
      },
    },
  ]);
});

test("conversations:write starts, continues and ends a conversation; conversations:read reads it", async () => {
  const writer = { token: (await account.tokens("conversations:write")).access_token };
  const reader = { token: (await account.tokens("conversations:read")).access_token };
  const started = await service.send<Resource>("POST", path, {
    ...writer,
    body: { chatbot_id: account.bot },
  });
  const one = `${path}/${started.body.data.id}`;
  const body = { role: "visitor", text: "Hello" };
  const said = await service.send<Resource>("POST", `${one}/messages`, { ...writer, body });
  const ended = await service.send<Resource>("POST", `${one}/end`, writer);
  expect([started.status, said.status, ended.status]).toEqual([201, 201, 200]);

  const conversation = await service.send<Resource>("GET", one, reader);
  expect(conversation.body.data.attributes).toMatchObject({ status: "ended", message_count: 1 });
  const messages = await service.send<Resource[]>("GET", `${one}/messages`, reader);
  expect(messages.body.data).toEqual([said.body.data]);
  expect(said.body.data).toMatchObject({ type: "message", attributes: body });
});

pageRows({
  path,
  defaultLimit: 20,
  service: () => service,
  item: (n) => ["conversation", `chat-${n}`, { chatbot_external_id: "bot" }],
});

filterRows(
  path,
  () => service,
  (externalId, chatbot_external_id, changed) => [
    "conversation",
    externalId,
    { chatbot_external_id, channel: changed ? "phone" : "web" },
  ],
);

statusRows(
  path,
  () => service,
  ["open", "ended"],
  (externalId, status) => ["conversation", externalId, { chatbot_external_id: "bot", status }],
);
