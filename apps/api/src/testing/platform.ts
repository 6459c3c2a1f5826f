import type { ResponseOf, Schemas } from "@parley/contract";
import { platformFolders } from "@parley/contract/testing";
import { Prisma } from "@parley/database";
import { expect } from "vitest";
import type { Attributes, Item, ItemType, writers } from "../modules/platform/items.ts";
import { as, asPlatform, type TestApi } from "./api-server.ts";
import { type AnyEvent, takeEvents } from "./events.ts";
import { createTenant, type Tenant, type TenantOptions } from "./factories.ts";

export const itemTypes = Object.keys(platformFolders) as ItemType[];

/** Returns the path of a record, relative to the organization. */
export const recordPath = (type: ItemType, externalId: string) =>
  `/${platformFolders[type]}/${encodeURIComponent(externalId)}`;

/** Minimal valid attributes of each record type, for an organization that has the `parentItems`. */
export const samples: { [Type in ItemType]: Attributes<Type> } = {
  chatbot: { name: "Sales assistant", model: "parley-large" },
  lead: { chatbot_external_id: "bot" },
  conversation: { chatbot_external_id: "bot" },
  message: { conversation_external_id: "chat", role: "visitor", text: "Hello" },
  ticket: { subject: "Cannot sign in" },
  meeting: {
    title: "Demo",
    starts_at: "2026-03-05T14:00:00Z",
    ends_at: "2026-03-05T14:30:00Z",
    timezone: "Europe/Vienna",
  },
  message_feedback: { message_external_id: "greeting", rating: "positive" },
  tool_run: { chatbot_external_id: "bot", tool: "look_up_invoice", status: "executed", duration_ms: 12 },
  usage_record: { metric: "messages", quantity: 1 },
};

/** Returns a sample as a batch item, with changed attributes. */
export const sampleItem = (type: ItemType, externalId: string, changes: object = {}) =>
  ({ type, external_id: externalId, attributes: { ...samples[type], ...changes } }) as Item;

/** Parents of other records: the chatbot `bot` (threshold 70), the conversation `chat` and the chatbot's message `greeting`. */
export const parentItems: Item[] = [
  sampleItem("chatbot", "bot"),
  sampleItem("conversation", "chat"),
  sampleItem("message", "greeting", { role: "chatbot", text: "How can I help?" }),
];

/** Record after an upsert, and the upsert's result. */
interface Put<Type extends ItemType> {
  data: Awaited<ReturnType<(typeof writers)[Type]>>["resource"];
  result: Schemas["UpsertResult"];
}

/** Client of the Platform API for an organization that has the `parentItems`. */
export interface Platform {
  tenant: Tenant;
  /** Upserts a record; expects success. */
  put<Type extends ItemType>(
    type: Type,
    externalId: string,
    attributes: Attributes<Type>,
  ): Promise<Put<Type>>;
  /** Upserts a record; expects 400 and returns the description. */
  refusal(type: ItemType, externalId: string, attributes: object): Promise<string>;
  /** Sends a batch; expects success and returns the response. */
  batch(items: unknown[]): Promise<ResponseOf<"writeBatch">>;
  /** Returns the events since the last call. */
  events(): Promise<AnyEvent[]>;
  /** Returns the types of the events since the last call. */
  types(): Promise<AnyEvent["type"][]>;
  /** Returns `data` of a GET of the API as an integration. */
  seen(path: string): Promise<unknown>;
  /** Counts the records of a type, including the `parentItems`. */
  count(type: ItemType): Promise<number>;
}

export async function createPlatform(api: TestApi, options?: TenantOptions): Promise<Platform> {
  const tenant = await createTenant(api.db, options);
  const { organizationId } = tenant;
  const call = asPlatform(api, organizationId);
  const platform: Platform = {
    tenant,
    async put(type, externalId, attributes) {
      const response = await call("PUT", recordPath(type, externalId), attributes);
      const body = (await response.json()) as { data: never; meta: Schemas["UpsertMeta"] };
      expect([response.status, body]).toMatchObject([200, {}]);
      return { data: body.data, result: body.meta.result };
    },
    async refusal(type, externalId, attributes) {
      const response = await call("PUT", recordPath(type, externalId), attributes);
      const { error, error_description } = (await response.json()) as Schemas["ApiError"];
      expect([response.status, error]).toEqual([400, "invalid_request"]);
      return error_description;
    },
    async batch(items) {
      const response = await call("POST", "/batch", { items });
      const body = (await response.json()) as ResponseOf<"writeBatch">;
      expect([response.status, body]).toMatchObject([200, {}]);
      return body;
    },
    events: () => takeEvents(api, tenant),
    types: async () => (await takeEvents(api, tenant)).map(({ type }) => type),
    async seen(path) {
      const response = await as(api, tenant)("GET", path);
      expect(response.status).toBe(200);
      return ((await response.json()) as { data: unknown }).data;
    },
    async count(type) {
      const table = Prisma.raw(platformFolders[type].replace("-", "_"));
      const [row] = await api.db.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM ${table}
        WHERE organization_id = ${organizationId}::uuid AND external_id IS NOT NULL`;
      return row?.count ?? Number.NaN;
    },
  };
  await insertParents(api, organizationId);
  return platform;
}

/** Inserts the records of the `parentItems` with SQL, because a batch takes ten times the time. */
async function insertParents({ db }: TestApi, organizationId: string): Promise<void> {
  const [{ name, model }, greeting] = [samples.chatbot, parentItems[2]?.attributes];
  const { role, text } = greeting as Attributes<"message">;
  await db.$executeRaw`
    WITH bot AS (
      INSERT INTO chatbots (organization_id, external_id, name, model)
      VALUES (${organizationId}::uuid, 'bot', ${name}, ${model}) RETURNING id, organization_id
    ), chat AS (
      INSERT INTO conversations (organization_id, external_id, chatbot_id, message_count)
      SELECT organization_id, 'chat', id, 1 FROM bot RETURNING id, chatbot_id, organization_id
    )
    INSERT INTO messages (organization_id, external_id, conversation_id, chatbot_id, role, text)
    SELECT organization_id, 'greeting', id, chatbot_id, ${role}, ${text} FROM chat`;
}
