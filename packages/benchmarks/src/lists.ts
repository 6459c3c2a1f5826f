/** `GET /api/v1/leads?limit=20` through the whole server, against a bare Fastify route with the same SQL. */
import { deepStrictEqual } from "node:assert/strict";
import { runBench } from "./harness/bench.ts";
import { sendRequests } from "./harness/http-load.ts";
import type { RealServer } from "./harness/real-server.ts";
import { compareSides } from "./harness/report.ts";
import { createTenant, createVariables, type Tenant, withClient } from "./harness/seed.ts";
import type { BareServer } from "./lists/bare-server.ts";

interface Target {
  server: { call(name: "cpuSeconds"): Promise<number> };
  url: string;
  headers: Record<string, string>;
}

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const tenants = await seedLeads(databaseUrl);
  const real = bench.start<RealServer>("harness/real-server.ts");
  const bare = bench.start<BareServer>("lists/bare-server.ts");
  const realUrl = await real.call("start", createVariables(databaseUrl));
  const organizationIds = Object.values(tenants).map(({ organizationId }) => organizationId);
  const bareUrl = await bare.call("start", databaseUrl, organizationIds);
  for (const [size, { organizationId, token }] of Object.entries(tenants)) {
    const headers = { authorization: `Bearer ${token}` };
    const realTarget = { server: real, url: `${realUrl}/api/v1/leads?limit=20`, headers };
    const bareTarget = { server: bare, url: `${bareUrl}/organizations/${organizationId}/leads`, headers: {} };
    deepStrictEqual(await getJson(realTarget), await getJson(bareTarget));
    const seconds = bench.quick ? 1 : 2;
    await compareSides(
      `${size} organization`,
      { perSecond: ["requests/s", 0], cpuMs: ["CPU ms/request", 3] },
      { Parley: () => send(realTarget, seconds), bare: () => send(bareTarget, seconds) },
      { rounds: bench.rounds(12) },
    );
  }
});

function send({ server, ...target }: Target, duration: number) {
  return sendRequests(server, { ...target, duration });
}

/** Returns the response without the cursor, in which the API has a hash of the request. */
async function getJson({ url, headers }: Target): Promise<unknown> {
  const text = await (await fetch(url, { headers })).text();
  return JSON.parse(text.replace(/"next_cursor":"[\w-]+"/, '"next_cursor":""'));
}

/** Creates an organization of 100,000 leads, one of 200, and twenty others of 5,000 each. */
async function seedLeads(databaseUrl: string): Promise<Record<"large" | "small", Tenant>> {
  return withClient(databaseUrl, async (client) => {
    const create = async (leads: number): Promise<Tenant> => {
      const tenant = await createTenant(client);
      await client.query(
        `
         INSERT INTO leads (organization_id, chatbot_id, contact_name, contact_email, contact_phone, contact_company,
                            status, score, qualification, source, created_at, updated_at, qualified_at)
         SELECT $2::uuid, $3::uuid, 'Ada Novak ' || i, 'ada.' || i || '@example.com', '+44 20 7946 ' || i, 'Novak Ltd',
                CASE WHEN i % 3 = 0 THEN 'qualified' ELSE 'new' END, i % 101,
                jsonb_build_object('budget', '10-50k', 'timeline', i % 12 || ' months', 'decision_maker', true),
                '/pricing', now() - i * interval '1 minute', now() - i * interval '1 minute',
                CASE WHEN i % 3 = 0 THEN now() END
         FROM generate_series(1, $1::int) AS i`,
        [leads, tenant.organizationId, tenant.chatbotId],
      );
      return tenant;
    };
    const [large, small] = [await create(100_000), await create(200)];
    for (let other = 0; other < 20; other += 1) await create(5_000);
    await client.query("VACUUM ANALYZE");
    return { large, small };
  });
}
