/** `POST` and `PATCH` of a lead through the whole server, against a bare Fastify route that inserts the same rows. */
import type { Request } from "autocannon";
import { runBench } from "./harness/bench.ts";
import { sendRequests } from "./harness/http-load.ts";
import type { RealServer } from "./harness/real-server.ts";
import { compareSides } from "./harness/report.ts";
import { createTenant, createVariables, withClient } from "./harness/seed.ts";
import type { BareServer } from "./writes/bare-server.ts";

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const { token, organizationId, chatbotId } = await seed(databaseUrl);
  const real = bench.start<RealServer>("harness/real-server.ts");
  const bare = bench.start<BareServer>("writes/bare-server.ts");
  const url = await real.call("start", createVariables(databaseUrl));
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
  const duration = bench.quick ? 1 : 2;
  await compareSides(
    "10 connections",
    { perSecond: ["requests/s", 0], cpuMs: ["CPU ms/request", 3] },
    {
      "create a lead": () => sendRequests(real, { url, requests: [create], duration }),
      "update a lead": () => sendRequests(real, { url, requests: updates, duration }),
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
    const tenant = await createTenant(client, "business");
    const { rows } = await client.query<{ id: string }>(
      `WITH bot AS (
         INSERT INTO chatbots (organization_id, name, model) VALUES ($1, 'Sales assistant', 'parley-large') RETURNING id
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
