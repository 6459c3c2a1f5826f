import { randomBytes } from "node:crypto";
import { type Plan, type Scope, scopeMeanings } from "@parley/contract";
import type { Client } from "pg";
import type { Database } from "../client.ts";
import { hashToken } from "../credentials.ts";

/** Organization with a user, a chatbot and an access token. */
export interface Tenant {
  organizationId: string;
  userId: string;
  chatbotId: string;
  grantId: string;
  token: string;
}

export interface TenantOptions {
  /** Default: business. */
  plan?: Plan;
  /** Scopes of the token. Default: all. */
  scopes?: Scope[] | undefined;
  /** Qualification threshold of the chatbot. Default: 70. */
  threshold?: number;
  organizationId?: string;
}

/** A connection of `pg`, or a Prisma client. */
type Connection = Pick<Client, "query"> | Pick<Database, "$queryRawUnsafe">;

async function queryRow<Row extends object>(db: Connection, sql: string, values: unknown[]): Promise<Row> {
  const rows =
    "query" in db ? (await db.query<Row>(sql, values)).rows : await db.$queryRawUnsafe<Row[]>(sql, ...values);
  if (!rows[0]) throw new Error("the statement returned no row");
  return rows[0];
}

/** Creates an organization with a user, a chatbot and an access token. With SQL, so that it works with earlier schemas too. */
export async function createTenant(db: Connection, options: TenantOptions = {}): Promise<Tenant> {
  const { plan = "business", scopes, threshold = 70, organizationId = null } = options;
  const ids = await queryRow<Pick<Tenant, "organizationId" | "userId" | "chatbotId">>(
    db,
    `WITH organization AS (
       INSERT INTO organizations (id, name, plan)
       VALUES (coalesce($1::uuid, uuidv7()), 'Organization ' || $2::text, $3::text) RETURNING id
     ), owner AS (
       INSERT INTO users (organization_id, email, name, password_hash, role)
       SELECT id, $2::text || '@example.com', 'Uma User', 'none', 'admin' FROM organization RETURNING id
     ), chatbot AS (
       INSERT INTO chatbots (organization_id, name, model, qualification_threshold)
       SELECT id, 'Bot ' || $2::text, 'parley-small', $4::int FROM organization RETURNING id
     )
     SELECT organization.id AS "organizationId", owner.id AS "userId", chatbot.id AS "chatbotId"
     FROM organization, owner, chatbot`,
    [organizationId, randomBytes(6).toString("hex"), plan, threshold],
  );
  return { ...ids, ...(await issueToken(db, ids, scopes)) };
}

/** Issues another access token for a user, by default with all scopes and valid for an hour. */
export async function issueToken(
  db: Connection,
  { organizationId, userId }: Pick<Tenant, "organizationId" | "userId">,
  scopes = Object.keys(scopeMeanings) as Scope[],
  expiresAt = new Date(Date.now() + 3_600_000),
): Promise<Pick<Tenant, "grantId" | "token">> {
  const token = `parley_at_${randomBytes(32).toString("base64url")}`;
  const { grantId } = await queryRow<{ grantId: string }>(
    db,
    `WITH client AS (
       INSERT INTO oauth_clients (id, name, redirect_uris)
       VALUES ('test-client', 'Test client', '{http://127.0.0.1/callback}') ON CONFLICT DO NOTHING
     ), consent AS (
       INSERT INTO oauth_grants (organization_id, user_id, client_id, scopes)
       VALUES ($1::uuid, $2::uuid, 'test-client', $3::text[]) RETURNING id
     )
     INSERT INTO oauth_tokens (token_hash, kind, grant_id, scopes, expires_at)
     SELECT $4::bytea, 'access', id, $3::text[], $5::timestamptz FROM consent RETURNING grant_id AS "grantId"`,
    [organizationId, userId, scopes, hashToken(token), expiresAt],
  );
  return { grantId, token };
}

/** Creates organizations with a chatbot and a token each. Each has its rate limit. */
export async function createSenders(client: Client, count: number, plan: Plan): Promise<Tenant[]> {
  const senders: Tenant[] = [];
  while (senders.length < count) senders.push(await createTenant(client, { plan }));
  return senders;
}
