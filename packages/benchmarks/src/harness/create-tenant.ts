import { randomBytes } from "node:crypto";
import { type Plan, scopeMeanings } from "@parley/contract";
import { hashToken } from "@parley/database";
import type { Client } from "pg";

/** An organization, and a token of its user with all scopes. */
export interface Tenant {
  organizationId: string;
  token: string;
}

/** An organization with a user and an access token that lasts an hour. */
export async function createTenant(client: Client, name: string, plan: Plan): Promise<Tenant> {
  const token = `parley_at_${randomBytes(32).toString("base64url")}`;
  const scopes = Object.keys(scopeMeanings);
  await client.query(
    `INSERT INTO oauth_clients (id, name, redirect_uris) VALUES ('bench', 'Benchmark', '{}') ON CONFLICT DO NOTHING`,
  );
  const { rows } = await client.query<{ id: string }>(tenant, [name, plan, hashToken(token), scopes]);
  return { organizationId: rows[0]?.id ?? "", token };
}

/** $1 name, $2 plan, $3 the token's hash, $4 scopes. */
const tenant = `
  WITH organization AS (
    INSERT INTO organizations (name, plan) VALUES ($1, $2) RETURNING id
  ), owner AS (
    INSERT INTO users (organization_id, email, name, password_hash)
    SELECT id, id || '@example.com', 'Uma User', 'none' FROM organization RETURNING id
  ), consent AS (
    INSERT INTO oauth_grants (organization_id, user_id, client_id, scopes)
    SELECT organization.id, owner.id, 'bench', $4::text[] FROM organization, owner RETURNING id
  ), token AS (
    INSERT INTO oauth_tokens (token_hash, kind, grant_id, scopes, expires_at)
    SELECT $3::bytea, 'access', id, $4::text[], now() + interval '1 hour' FROM consent
  )
  SELECT id FROM organization`;
