/** What the same requests cost in organizations of 1,000, 100,000 and 1,000,000 leads. */
import type { Client } from "pg";
import { runBench } from "./harness/bench.ts";
import type { RealServer } from "./harness/real-server.ts";
import { median, printTable } from "./harness/report.ts";
import { createTenant, createVariables, withClient } from "./harness/seed.ts";

interface Organization {
  leads: number;
  token: string;
  chatbotId: string;
}

const ms = (value: number) => value.toFixed(1);
const ratio = (times: number[]) => ((times.at(-1) ?? 0) / (times[0] ?? 1)).toFixed(1);

await runBench(async (bench) => {
  const sizes = bench.quick ? [100, 1_000] : [1_000, 100_000, 1_000_000];
  const databaseUrl = await bench.startDatabase();
  const organizations = await withClient(databaseUrl, async (client) => {
    const created: Organization[] = [];
    for (const leads of sizes) created.push(await seed(client, leads));
    await client.query("SELECT fold_record_counts(1000000)");
    await client.query("VACUUM ANALYZE");
    return created;
  });
  const server = bench.start<RealServer>("harness/real-server.ts");
  const url = await server.call("start", createVariables(databaseUrl));
  const seconds = bench.quick ? 1 : 3;

  const requests: Record<string, (organization: Organization) => string> = {
    "first page": () => "limit=20",
    "of a status": () => "limit=20&status=qualified",
    "of a chatbot": ({ chatbotId }) => `limit=20&chatbot_id=${chatbotId}`,
    "last page": ({ leads }) => `limit=20&offset=${leads - 20}`,
    "since the last minute": () => `limit=20&since=${new Date(Date.now() - 60_000).toISOString()}`,
    "since 1970": () => "limit=20&since=1970-01-01T00:00:00Z",
  };
  const rows: string[][] = [];
  for (const [name, query] of Object.entries(requests)) {
    const times: number[] = [];
    for (const organization of organizations) {
      times.push(await p50(`${url}/api/v1/leads?${query(organization)}`, organization, seconds));
    }
    rows.push([name, ...times.map(ms), ratio(times)]);
  }
  for (const pollers of [0, 3]) {
    const times: number[] = [];
    for (const organization of organizations)
      times.push(await createLeads(url, organization, seconds, pollers));
    rows.push([
      pollers === 0 ? "create" : `create, next to ${pollers} clients that poll since 1970`,
      ...times.map(ms),
      ratio(times),
    ]);
  }
  printTable(
    ["ms, p50", ...sizes.map((size) => `${size.toLocaleString("en")} leads`), "largest / smallest"],
    rows,
  );
});

/** Returns the median time of a request, with two at a time. */
async function p50(url: string, { token }: Organization, seconds: number): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const times: number[] = [];
  const until = performance.now() + seconds * 1_000;
  const sender = async () => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      const response = await fetch(url, { headers });
      if (response.status !== 200) throw new Error(`void: ${url} was answered with ${response.status}`);
      await response.text();
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all([sender(), sender()]);
  return median(times);
}

/** Creates leads one after the other, while clients poll. */
async function createLeads(
  url: string,
  organization: Organization,
  seconds: number,
  pollers: number,
): Promise<number> {
  const headers = { authorization: `Bearer ${organization.token}`, "content-type": "application/json" };
  const body = JSON.stringify({ chatbot_id: organization.chatbotId, contact: { name: "Ada Novak" } });
  let polling = true;
  const polls = Array.from({ length: pollers }, async () => {
    while (polling) await (await fetch(`${url}/api/v1/leads?since=1970-01-01T00:00:00Z`, { headers })).text();
  });
  const times: number[] = [];
  for (const until = performance.now() + seconds * 1_000; performance.now() < until; ) {
    const startedAt = performance.now();
    const response = await fetch(`${url}/api/v1/leads`, { method: "POST", headers, body });
    if (response.status !== 201) throw new Error(`void: a lead was refused with ${response.status}`);
    await response.text();
    times.push(performance.now() - startedAt);
  }
  polling = false;
  await Promise.all(polls);
  return median(times);
}

async function seed(client: Client, leads: number): Promise<Organization> {
  const { organizationId, token } = await createTenant(client, "business");
  const { rows } = await client.query<{ id: string }>(
    `WITH bot AS (
       INSERT INTO chatbots (organization_id, name, model)
       SELECT $1, 'Chatbot ' || i, 'parley-large' FROM generate_series(1, 3) AS i RETURNING id
     ), numbered AS (
       SELECT id, row_number() OVER () AS n FROM bot
     ), leads AS (
       INSERT INTO leads (organization_id, chatbot_id, contact_name, contact_email, status, created_at, updated_at)
       SELECT $1, numbered.id, 'Lead ' || i, 'lead.' || i || '@example.com', CASE WHEN i % 4 = 0 THEN 'qualified' ELSE 'new' END,
              now() - i * interval '10 s', now() - i * interval '10 s'
       FROM generate_series(1, $2::int) AS i JOIN numbered ON numbered.n = 1 + i % 3
     )
     SELECT id FROM numbered WHERE n = 1`,
    [organizationId, leads],
  );
  return { leads, token, chatbotId: rows[0]?.id ?? "" };
}
