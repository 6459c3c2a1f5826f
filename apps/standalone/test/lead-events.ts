import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";

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
