import { expect, test } from "vitest";
import { type Account, type Item, type Resource, useAccount } from "./service.ts";

// DELETE of leads, conversations and tickets, and of records of the Platform API.

const { service, account } = useAccount();

const ofBot = { chatbot_external_id: "bot" };
const times = {
  starts_at: "2026-03-05T14:00:00Z",
  ends_at: "2026-03-05T14:30:00Z",
  timezone: "Europe/Vienna",
};
const items: Record<string, Item> = {
  leads: ["lead", "old", ofBot],
  conversations: ["conversation", "old", ofBot],
  tickets: ["ticket", "old", { subject: "Cannot sign in" }],
  meetings: ["meeting", "old", { title: "Demo", ...times }],
};

async function create(kind: string): Promise<string> {
  const item = items[kind];
  const [id] = item ? await account.write(item) : [];
  if (id === undefined) throw new Error(`no ${kind} was written`);
  return id;
}

/** Deletes a record twice, and returns what the API then returns. */
async function deleteTwice(kind: string, id: string, remove: () => ReturnType<Account["call"]>) {
  const first = await remove();
  const read = await account.call("GET", `/api/v1/${kind}/${id}`);
  const second = await remove();
  const { meta } = (await account.call("GET", `/api/v1/${kind}`)).body;
  return {
    first: [first.status, first.body],
    read: read.status,
    second: [second.status, second.body.error],
    total: meta["total"],
  };
}

const deletedOnce = (id: string) => ({
  first: [200, { data: { id, deleted: true }, meta: { api_version: "2024-01-01" } }],
  read: 404,
  second: [404, "not_found"],
  total: 0,
});

test.each(["leads", "conversations", "tickets"])(
  "DELETE /api/v1/%s/{id} deletes once, and the list has one less",
  async (kind) => {
    const id = await create(kind);
    const remove = () => account.call("DELETE", `/api/v1/${kind}/${id}`);
    expect(await deleteTwice(kind, id, remove)).toEqual(deletedOnce(id));
  },
);

test.each(Object.keys(items))("the Platform API deletes %s by external ID", async (kind) => {
  const path = `/api/platform/v1/organizations/${account.organizationId}/${kind}/old`;
  const id = await create(kind);
  const remove = () => service.send<Resource>("DELETE", path, { token: service.platformKey });
  expect(await deleteTwice(kind, id, remove)).toEqual(deletedOnce(id));
});

test("integrations cannot delete meetings: 405", async () => {
  const id = await create("meetings");
  const { status, body, headers } = await account.call("DELETE", `/api/v1/meetings/${id}`);
  expect([status, body.error, headers.get("allow")]).toEqual([405, "invalid_request", "GET"]);
});

test.each(["leads", "conversations", "tickets"])(
  "DELETE /api/v1/%s/{id} needs the write scope",
  async (kind) => {
    const { access_token: token } = await account.tokens(`${kind}:read`);
    const { status, body } = await service.send("DELETE", `/api/v1/${kind}/some`, { token });
    expect([status, body.error]).toEqual([403, "insufficient_scope"]);
  },
);
