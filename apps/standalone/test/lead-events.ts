import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "@parley/database";
import { createTenant } from "@parley/database/testing/tenant";
import type { Sender } from "@parley/testing/lead-load";
import { expect } from "vitest";

/** Creates organizations, each with a chatbot, a token and its own rate limit. */
export async function createSenders(url: string): Promise<Sender[]> {
  const client = await connect(url);
  const senders = await inTurn(Array.from({ length: 40 }), async () => {
    const { organizationId, token } = await createTenant(client, "business");
    const { rows } = await client.query<{ id: string }>(
      "INSERT INTO chatbots (organization_id, name, model) VALUES ($1, 'Bot', 'parley-small') RETURNING id",
      [organizationId],
    );
    return { token, chatbotId: rows[0]?.id ?? "" };
  });
  await client.end();
  return senders;
}

/** Subscribes a URL to new leads. */
export async function subscribe(api: string, token: string, target_url: string): Promise<void> {
  const response = await fetch(`${api}/api/v1/webhooks/subscribe`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ target_url, event_types: ["lead.created"] }),
  });
  expect(response.status).toBe(201);
}

export interface Receiver {
  url: string;
  /** IDs of the leads whose creation was delivered. */
  leads: Set<string>;
  close(): void;
}

/** Starts a receiver of webhooks about leads. */
export async function startReceiver(): Promise<Receiver> {
  const leads = new Set<string>();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      leads.add(JSON.parse(body).data.id);
      response.end();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, leads, close: () => server.close() };
}

/** Does something with each item, one after the other. */
export async function inTurn<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
