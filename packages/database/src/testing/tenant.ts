import { randomBytes } from "node:crypto";
import { type Plan, scopeMeanings } from "@parley/contract";
import type { Client } from "pg";
import { hashToken } from "../credentials.ts";

/** An organization, and a token of its user with all scopes. */
export interface Tenant {
  organizationId: string;
  token: string;
}

/** Creates an organization with a user and an access token that lasts an hour. With SQL, so that it works with earlier schemas too. */
export async function createTenant(client: Client, plan: Plan): Promise<Tenant> {
  const token = `parley_at_${randomBytes(32).toString("base64url")}`;
  await client.query(
    `INSERT INTO oauth_clients (id, name, redirect_uris) VALUES ('test', 'Test', '{}') ON CONFLICT DO NOTHING`,
  );
  const { rows } = await client.query<{ id: string }>(
    `WITH organization AS (
       INSERT INTO organizations (name, plan) VALUES ('Organization', $1) RETURNING id
     ), owner AS (
       INSERT INTO users (organization_id, email, name, password_hash)
       SELECT id, id || '@example.com', 'Uma User', 'none' FROM organization RETURNING id
     ), consent AS (
       INSERT INTO oauth_grants (organization_id, user_id, client_id, scopes)
       SELECT organization.id, owner.id, 'test', $3::text[] FROM organization, owner RETURNING id
     ), token AS (
       INSERT INTO oauth_tokens (token_hash, kind, grant_id, scopes, expires_at)
       SELECT $2::bytea, 'access', id, $3::text[], now() + interval '1 hour' FROM consent
     )
     SELECT id FROM organization`,
    [plan, hashToken(token), Object.keys(scopeMeanings)],
  );
  return { organizationId: rows[0]?.id ?? "", token };
}

/** An organization with a chatbot. */
export interface Sender extends Tenant {
  chatbotId: string;
}

/** Creates organizations with a chatbot and a token each. Each has its rate limit. */
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
