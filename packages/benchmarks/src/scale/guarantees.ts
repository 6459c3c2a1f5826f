import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createSenders, type Tenant } from "@parley/database/testing/tenant";
import type { Client } from "pg";
import { nowMs, until } from "../harness/time.ts";
import { send } from "./send.ts";
import type { Servers } from "./servers.ts";

/** What must hold with several processes under load, with a sentence about the result. Each throws if it does not hold. */
export const guarantees: Record<string, (servers: Servers, client: Client) => Promise<string>> = {
  "a rate limit counts the requests to all APIs together": countRequests,
  "a revoked token is refused by all APIs within 5 s": revokeToken,
  "an Idempotency-Key makes one change, at whichever APIs it arrives": repeatRequest,
  "10 wrong passwords in all, then sign-in is refused": failSignIns,
};

const limit = 100; // Requests per minute of the plan starter.

async function countRequests({ apis }: Servers, client: Client): Promise<string> {
  const [tenant] = (await createSenders(client, 1, "starter")) as [Tenant];
  const statuses: number[] = [];
  const startedAt = nowMs();
  for (let i = 0; i < limit + 50; i += apis.length) {
    const responses = await Promise.all(
      apis.map(({ url }) => send(url, "GET", "/api/v1/leads?limit=1", tenant.token)),
    );
    statuses.push(...responses.map(({ status }) => status));
  }
  const succeeded = statuses.filter((status) => status === 200).length;
  const seconds = (nowMs() - startedAt) / 1_000;
  // If a new minute began for the limit during the requests, it may allow twice as many.
  if (succeeded !== limit && seconds < 30)
    throw new Error(`void: ${succeeded} of ${statuses.length} requests succeeded`);
  return `${statuses.length} requests to ${apis.length} APIs, ${succeeded} succeeded`;
}

async function revokeToken({ apis }: Servers, client: Client): Promise<string> {
  const [tenant] = (await createSenders(client, 1, "business")) as [Tenant];
  const statuses = () =>
    Promise.all(
      apis.map(async ({ url }) => (await send(url, "GET", "/api/v1/leads?limit=1", tenant.token)).status),
    );
  if ((await statuses()).some((status) => status !== 200)) throw new Error("void: the token was not valid");
  await client.query("UPDATE oauth_grants SET revoked_at = now() WHERE organization_id = $1", [
    tenant.organizationId,
  ]);
  const revokedAt = nowMs();
  await until(async () => (await statuses()).every((status) => status === 401), {
    everyMs: 10,
    withinMs: 5_000,
    message: "void: a revoked token is still valid after 5 s",
  });
  return `after ${Math.round(nowMs() - revokedAt)} ms`;
}

async function repeatRequest({ apis }: Servers, client: Client): Promise<string> {
  const [tenant] = (await createSenders(client, 1, "business")) as [Tenant];
  const key = { "idempotency-key": randomUUID() };
  const lead = { chatbot_id: tenant.chatbotId, contact: { name: "Ada Novak" } };
  const responses = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const response = await send(
        apis[i % apis.length]?.url ?? "",
        "POST",
        "/api/v1/leads",
        tenant.token,
        lead,
        key,
      );
      const body = (await response.json()) as { data?: { id: string } };
      return { status: response.status, id: body.data?.id };
    }),
  );
  const ids = new Set(responses.flatMap(({ id }) => id ?? []));
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM leads WHERE organization_id = $1",
    [tenant.organizationId],
  );
  const created = rows[0]?.count;
  if (ids.size !== 1 || created !== 1)
    throw new Error(`void: one key created ${created} leads: ${JSON.stringify(responses)}`);
  return `20 requests at the same time created ${created} lead`;
}

async function failSignIns({ apis }: Servers): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const statuses: number[] = [];
  for (let i = 0; i < 15; i += 1) {
    const url = apis[i % apis.length]?.url ?? "";
    const page = await fetch(`${url}/console`);
    const cookie = page.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const csrf = /name="csrf_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
    const response = await fetch(`${url}/console/session`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie, origin: url },
      body: new URLSearchParams({
        csrf_token: csrf,
        return_to: "/console",
        action: "sign_in",
        email,
        password: "wrong",
      }),
    });
    statuses.push(response.status);
  }
  const refused = statuses.filter((status) => status === 429).length;
  if (refused !== 5) throw new Error(`void: sign-ins were answered with ${statuses.join(", ")}`);
  return `15 wrong passwords at ${apis.length} APIs: ${15 - refused} checked, ${refused} refused`;
}

/** Waits for two runs of the job that runs every minute, and checks that no run of any job was made twice. */
export async function checkJobs({ workers }: Servers, client: Client): Promise<string> {
  const from = new Date();
  await sleep(125_000);
  const { rows } = await client.query<{ name: string; minute: Date; runs: number }>(
    `SELECT name, date_trunc('minute', created_on) AS minute, count(*)::int AS runs FROM pgboss.job
     WHERE created_on > $1 AND state = 'completed' AND name NOT LIKE '\\_\\_%' GROUP BY 1, 2`,
    [from],
  );
  const twice = rows.filter(({ runs }) => runs > 1);
  if (rows.length === 0 || twice.length > 0) throw new Error(`void: runs of jobs: ${JSON.stringify(rows)}`);
  return `${rows.length} runs with ${workers.length} workers, none twice`;
}
