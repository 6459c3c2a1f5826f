import { expect, test } from "vitest";
import { pageRows } from "./list-rows.ts";
import { type Resource, timestamp, useAccount } from "./service.ts";

// GET /api/v1/chatbots.

const { service, account } = useAccount();

const state = {
  name: "Booking helper",
  description: "Finds a time.",
  model: "parley-small",
  status: "training",
};

async function readChatbot(id: string | undefined) {
  const { data } = (await account.call<Resource[]>("GET", "/api/v1/chatbots")).body;
  return data.find((chatbot) => chatbot.id === id);
}

test("a chatbot has id, type, attributes, label and value; label is its name, value its id", async () => {
  const [id] = await account.write(["chatbot", "booking-bot", state]);
  expect(await readChatbot(id)).toEqual({
    id,
    type: "chatbot",
    attributes: { ...state, created_at: timestamp, updated_at: timestamp },
    label: "Booking helper",
    value: id,
  });
});

test("updated_at changes with each update, created_at does not", async () => {
  const [id] = await account.write(["chatbot", "changed", { ...state, name: "Before" }]);
  const before = await readChatbot(id);
  await account.write(["chatbot", "changed", { ...state, name: "After" }]);
  const after = await readChatbot(id);
  expect(after).toMatchObject({ id, label: "After", attributes: { name: "After" } });
  const time = (chatbot: Resource | undefined, name: string) => Date.parse(String(chatbot?.attributes[name]));
  expect(time(after, "created_at")).toBe(time(before, "created_at"));
  expect(time(after, "updated_at")).toBeGreaterThan(time(before, "updated_at"));
});

test.each(["active", "inactive", "training"])("the status of a chatbot may be %s", async (status) => {
  const [id] = await account.write(["chatbot", status, { ...state, status }]);
  expect(await readChatbot(id)).toMatchObject({ attributes: { status } });
});

test("a chatbot has no other status", async () => {
  await expect(account.write(["chatbot", "other", { ...state, status: "paused" }])).rejects.toThrow(
    /status.*active, inactive.*training/,
  );
});

test("a chatbot of another organization is not in the list", async () => {
  const other = await service.createAccount("business");
  const { data } = (await other.call<Resource[]>("GET", "/api/v1/chatbots")).body;
  expect(data.map(({ id }) => id).sort()).toEqual([other.bot, other.otherBot].sort());
});

pageRows({
  path: "/api/v1/chatbots",
  defaultLimit: 50,
  service: () => service,
  item: (n) => ["chatbot", `bot-${n}`, { name: `Bot ${n}`, model: "parley-small" }],
});
