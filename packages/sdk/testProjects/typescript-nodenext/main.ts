// A server that stores tokens, reads leads and receives events, with the strictest compiler options.
import { createServer } from "node:http";
import {
  exchangeCode,
  handleCallback,
  type Lead,
  NotFoundError,
  Parley,
  ParleyPlatform,
  type PlatformRecord,
  poll,
  rawClient,
  type Tokens,
} from "@parley/sdk";
import { verifyWebhook, type WebhookEvent } from "@parley/sdk/webhooks";
import { memoryDedupe, receiveWebhooks } from "@parley/sdk/webhooks/node";

const baseUrl = process.env["PARLEY_URL"] ?? "";
const parley = new Parley({ baseUrl, accessToken: "parley_at_0", fetch: globalThis.fetch });

let score = 0;
for await (const lead of parley.leads.list({ status: "new" })) score += lead.attributes.score;
const { data, meta } = await parley.leads.list({ limit: 10 }, { signal: AbortSignal.timeout(60_000) });
const first: Lead | undefined = data[0];
const raw = await rawClient(parley).GET("/api/v1/tickets/{id}", { params: { path: { id: "missing" } } });
const code: "not_found" | undefined = await parley.tickets.get("missing").then(
  () => undefined,
  (error: unknown) => (error instanceof NotFoundError ? error.code : undefined),
);
console.log([score, meta.total, first?.type, raw.error?.error === code, code].join(" "));

/** Compiled but not called, because it needs a real grant. */
export async function connect(url: URL, state: string): Promise<Parley> {
  const store = async (tokens: Tokens): Promise<void> => console.log(tokens.expiresAt);
  const client = { baseUrl, clientId: "client", clientSecret: "secret" };
  const { code } = handleCallback(url, { ...client, state });
  const tokens = await exchangeCode({ ...client, code, redirectUri: "https://a.example" });
  return new Parley({ ...client, tokens, onTokens: store });
}

export async function write(): Promise<string> {
  const { data: ticket } = await parley.tickets.create({ subject: "Help" }, { idempotencyKey: "order-4711" });
  for await (const message of parley.conversations.messages(ticket.attributes.conversation_id ?? "")) {
    const role: "visitor" | "chatbot" | "agent" = message.attributes.role;
    console.log(role);
  }
  const lead: PlatformRecord<"leads"> = { chatbot_external_id: "sales-bot", score: 82 };
  const platform = new ParleyPlatform({ baseUrl, platformKey: "key" });
  const written = await platform.organization("o").upsert("leads", "crm-4711", lead);
  const result: "created" | "updated" | "unchanged" = written.meta.result;
  return result;
}

export async function receive(): Promise<void> {
  const event = await verifyWebhook({
    payload: new Uint8Array(),
    headers: new Headers(),
    secret: ["a", "b"],
  });
  if (event.type === "lead.score_changed") {
    const changed: WebhookEvent<"lead.score_changed"> = event;
    console.log(changed.previous_attributes, event.data.attributes.contact.email);
  }
  const handlers = {
    secret: "parley_ws_1",
    dedupe: memoryDedupe(),
    on: { "lead.created": (created: WebhookEvent<"lead.created">) => console.log(created.data.id) },
  };
  createServer(receiveWebhooks(handlers)).listen(0);
  for await (const meeting of poll(parley.meetings, { intervalMs: 1000 }))
    console.log(meeting.attributes.status);
}

export function mistakes(): void {
  // @ts-expect-error only POSTs accept a key
  void parley.tickets.update("a", { status: "open" }, { idempotencyKey: "order-4711" });
  // @ts-expect-error unknown filter
  void parley.leads.list({ color: "red" });
  // @ts-expect-error unknown event type
  void parley.webhooks.subscribe({ target_url: "https://a.example", event_types: ["lead.teleported"] });
  // @ts-expect-error unknown event type
  receiveWebhooks({ secret: "", on: { "lead.teleported": () => {} } });
  // @ts-expect-error subscriptions cannot be filtered by since
  poll(parley.webhooks);
}
