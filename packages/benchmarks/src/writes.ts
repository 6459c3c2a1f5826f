/** Changes of leads through the whole server, one by one and in batches, against a bare Fastify route that inserts the same rows. */
import { createHash } from "node:crypto";
import type { Request } from "autocannon";
import { runBench } from "./harness/bench.ts";
import { sendRequests } from "./harness/http-load.ts";
import type { RealServer } from "./harness/real-server.ts";
import { compareSides } from "./harness/report.ts";
import { createTenant, createVariables, withClient } from "./harness/seed.ts";
import type { BareServer } from "./writes/bare-server.ts";

const platformKey = `parley_pk_${"0".repeat(64)}`;
const batchSize = 100;

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const { token, organizationId, chatbotId } = await seed(databaseUrl);
  const real = bench.start<RealServer>("harness/real-server.ts");
  const bare = bench.start<BareServer>("writes/bare-server.ts");
  const hash = createHash("sha256").update(platformKey).digest("hex");
  const url = await real.call("start", { ...createVariables(databaseUrl), PLATFORM_KEY_HASHES: hash });
  const bareUrl = await bare.call("start", databaseUrl, organizationId);

  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const lead = JSON.stringify({ chatbot_id: chatbotId, contact: { name: "Ada Novak" }, score: 10 });
  const create: Request = { method: "POST", path: "/api/v1/leads", headers, body: lead };
  const ids = await Promise.all(Array.from({ length: 50 }, () => createLead(url, create)));
  const updates = [20, 30].flatMap((score) =>
    ids.map(
      (id): Request => ({
        method: "PATCH",
        path: `/api/v1/leads/${id}`,
        headers,
        body: `{"score":${score}}`,
      }),
    ),
  );
  const bareCreate: Request = { method: "POST", path: "/leads", headers, body: lead };
  const items = Array.from({ length: batchSize }, (_, i) => ({
    type: "lead",
    external_id: `[<id>] ${i}`,
    attributes: { chatbot_external_id: "assistant", contact: { name: "Ada Novak" }, score: 10 },
  }));
  const batch: Request = {
    method: "POST",
    path: `/api/platform/v1/organizations/${organizationId}/batch`,
    headers: { authorization: `Bearer ${platformKey}`, "content-type": "application/json" },
    body: JSON.stringify({ items }),
  };
  const duration = bench.quick ? 1 : 2;
  await compareSides(
    "10 connections",
    { perSecond: ["a second", 0], cpuMs: ["CPU ms each", 3] },
    {
      "create a lead": () => sendRequests(real, { url, requests: [create], duration }),
      "update a lead": () => sendRequests(real, { url, requests: updates, duration }),
      "create a lead, in batches of 100": async () => {
        const batches = { url, requests: [batch], duration, connections: 2, idReplacement: true };
        const { perSecond, cpuMs } = await sendRequests(real, batches);
        return { perSecond: perSecond * batchSize, cpuMs: cpuMs / batchSize };
      },
      "bare create": () => sendRequests(bare, { url: bareUrl, requests: [bareCreate], duration }),
    },
    { rounds: bench.rounds(8) },
  );
});

async function createLead(url: string, { path = "", ...request }: Request): Promise<string> {
  const response = await fetch(url + path, request as RequestInit);
  const { data } = (await response.json()) as { data: { id: string } };
  return data.id;
}

/** Creates an organization with a chatbot and a subscription to events of leads, among ten thousand leads. */
async function seed(databaseUrl: string) {
  return withClient(databaseUrl, async (client) => {
    const tenant = await createTenant(client);
    const { rows } = await client.query<{ id: string }>(
      `WITH bot AS (
         INSERT INTO chatbots (organization_id, external_id, name, model) VALUES ($1, 'assistant', 'Sales assistant', 'parley-large') RETURNING id
       ), subscription AS (
         INSERT INTO subscriptions (organization_id, target_url, event_types, secret)
         VALUES ($1, 'https://example.com/hook', '{lead.created,lead.updated}', '') RETURNING id
       ), queue AS (
         INSERT INTO subscription_queues (subscription_id) SELECT id FROM subscription
       ), leads AS (
         INSERT INTO leads (organization_id, chatbot_id) SELECT $1, bot.id FROM bot, generate_series(1, 10_000)
       )
       SELECT id FROM bot`,
      [tenant.organizationId],
    );
    await client.query("VACUUM ANALYZE");
    return { ...tenant, chatbotId: rows[0]?.id ?? "" };
  });
}
