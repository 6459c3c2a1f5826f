import type { Plan } from "@parley/contract";
import type { Client } from "pg";
import { createTenant, type Tenant } from "../harness/seed.ts";

/** Organization with a chatbot and a token. */
export interface Sender extends Tenant {
  chatbotId: string;
}

/** Creates organizations with a chatbot each. Each has its rate limit. */
export async function createSenders(client: Client, count: number, plan: Plan): Promise<Sender[]> {
  const senders: Sender[] = [];
  while (senders.length < count) {
    const tenant = await createTenant(client, plan);
    const { rows } = await client.query<{ id: string }>(
      "INSERT INTO chatbots (organization_id, name, model) VALUES ($1, 'Bot', 'parley-small') RETURNING id",
      [tenant.organizationId],
    );
    senders.push({ ...tenant, chatbotId: rows[0]?.id ?? "" });
  }
  return senders;
}

/** Sends a request as JSON. */
export function send(
  url: string,
  method: string,
  path: string,
  token: string,
  body?: object,
  headers?: object,
): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
}
