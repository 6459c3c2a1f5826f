import { randomBytes } from "node:crypto";
import { scopeMeanings } from "@parley/contract";
import { hashToken } from "@parley/database";
import { withClient } from "../harness/with-client.ts";

/** An organization with leads, and a token of its user. */
export interface Tenant {
  organizationId: string;
  token: string;
}

export type Seeded = Record<"large" | "small", Tenant>;

/** One organization of 100,000 leads, one of 200, and twenty others of 5,000 each beside them. */
export async function seedLeads(databaseUrl: string): Promise<Seeded> {
  const others = Array.from({ length: 20 }, () => 5_000);
  const tenants: Tenant[] = [];
  await withClient(databaseUrl, async (client) => {
    await client.query(
      "INSERT INTO oauth_clients (id, name, redirect_uris) VALUES ('bench', 'Benchmark', '{}')",
    );
    for (const leads of [100_000, 200, ...others]) {
      const token = `parley_at_${randomBytes(32).toString("base64url")}`;
      const scopes = Object.keys(scopeMeanings);
      const { rows } = await client.query<{ id: string }>(tenantWithLeads, [leads, hashToken(token), scopes]);
      tenants.push({ organizationId: rows[0]?.id ?? "", token });
    }
    await client.query("VACUUM ANALYZE");
  });
  const [large, small] = tenants;
  if (!large || !small) throw new Error("the organizations were not created");
  return { large, small };
}

/** $1 leads, $2 the token's hash, $3 scopes. */
const tenantWithLeads = `
  WITH organization AS (
    INSERT INTO organizations (name, plan) VALUES ('Organization of ' || $1, 'business') RETURNING id
  ), owner AS (
    INSERT INTO users (organization_id, email, name, password_hash)
    SELECT id, id || '@example.com', 'Uma User', 'none' FROM organization RETURNING id
  ), consent AS (
    INSERT INTO oauth_grants (organization_id, user_id, client_id, scopes)
    SELECT organization.id, owner.id, 'bench', $3::text[] FROM organization, owner RETURNING id
  ), token AS (
    INSERT INTO oauth_tokens (token_hash, kind, grant_id, scopes, expires_at)
    SELECT $2::bytea, 'access', id, $3::text[], now() + interval '1 hour' FROM consent
  ), bot AS (
    INSERT INTO chatbots (organization_id, name, model)
    SELECT id, 'Sales assistant', 'parley-large' FROM organization RETURNING id
  ), lead AS (
    INSERT INTO leads (organization_id, chatbot_id, contact_name, contact_email, contact_phone, contact_company,
                       status, score, qualification, source, created_at, updated_at, qualified_at)
    SELECT organization.id, bot.id, 'Ada Novak ' || i, 'ada.' || i || '@example.com', '+44 20 7946 ' || i, 'Novak Ltd',
           CASE WHEN i % 3 = 0 THEN 'qualified' ELSE 'new' END, i % 101,
           jsonb_build_object('budget', '10-50k', 'timeline', i % 12 || ' months', 'decision_maker', true),
           '/pricing', now() - i * interval '1 minute', now() - i * interval '1 minute',
           CASE WHEN i % 3 = 0 THEN now() END
    FROM organization, bot, generate_series(1, $1::int) AS i
  )
  SELECT id FROM organization`;
