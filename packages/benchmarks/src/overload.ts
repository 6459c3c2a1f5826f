/** What organizations with few requests notice while another one sends three times as many as the server can handle. */
import type { Request } from "autocannon";
import { runBench } from "./harness/bench.ts";
import type { RealServer } from "./harness/real-server.ts";
import { compareSides, percentile, printTable, withSpread } from "./harness/report.ts";
import { createTenant, createVariables, type Tenant, withClient } from "./harness/seed.ts";
import type { FloodResult, FloodSender } from "./overload/flood.ts";
import type { SteadyRequest, SteadySender } from "./overload/steady.ts";

const healthyCount = 5;
/** Requests per second of each healthy organization. */
const healthyRate = 10;
const floodConnections = 500;
const times = 3;
/** A response after this time counts as missing. */
const deadlineMs = 1_000;

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const { unlimited, limited, healthy } = await seed(databaseUrl);
  const flood = bench.start<FloodSender>("overload/flood.ts");
  const steady = bench.start<SteadySender>("overload/steady.ts");
  const start = (variables: Record<string, string>) =>
    bench.start<RealServer>("harness/real-server.ts").call("start", {
      ...createVariables(databaseUrl),
      ...variables,
    });
  const url = await start({});
  const urlWithout = await start({ MAX_REQUESTS_IN_FLIGHT: "0" });
  const seconds = bench.quick ? 2 : 8;

  const asMany = { url: urlWithout, requests: floodRequests(unlimited), connections: 20, duration: seconds };
  await flood.call("send", asMany); // Warms up.
  const capacity = (await flood.call("send", asMany)).accepted;
  const rate = Math.round(times * capacity);
  console.log(`capacity: ${Math.round(capacity)} requests a second; the flood: ${rate}`);

  const floods = new Map<string, FloodResult[]>();
  async function measure(name: string, address: string, tenant?: Tenant) {
    const options = { url: address, connections: floodConnections, duration: seconds + 2, overallRate: rate };
    const flooding = tenant && flood.call("send", { ...options, requests: floodRequests(tenant) });
    if (flooding) await new Promise((resolve) => setTimeout(resolve, 1_000));
    const requests = healthy.flatMap(healthyRequests);
    const { sent, durations } = await steady.call("send", {
      url: address,
      requests,
      rate: healthyRate * healthyCount,
      seconds,
    });
    if (flooding) floods.set(name, [...(floods.get(name) ?? []), await flooding]);
    const inTime = durations.filter((ms) => ms <= deadlineMs).length;
    return { rate: inTime / sent, p50: percentile(durations, 0.5), p99: percentile(durations, 0.99) };
  }

  const names = {
    with: "flood, with the limits",
    without: "flood, without limits",
    plan: "flood, only the rate limit of its plan",
    none: "no flood",
  };
  await compareSides(
    "organizations with few requests",
    { rate: ["of their rate", 2], p50: ["p50, ms", 1], p99: ["p99, ms", 1] },
    {
      [names.with]: () => measure(names.with, url, unlimited),
      [names.without]: () => measure(names.without, urlWithout, unlimited),
      [names.plan]: () => measure(names.plan, urlWithout, limited),
      [names.none]: () => measure(names.none, url),
    },
    { rounds: bench.rounds(5) },
  );
  const columns = ["accepted", "limited", "refused", "failed"] as const;
  printTable(
    ["the flood, responses a second", "2xx", "429", "503", "others"],
    [...floods].map(([name, [, ...results]]) => [
      name,
      ...columns.map((column) =>
        withSpread(
          results.map((result) => result[column]),
          0,
        ),
      ),
    ]),
  );
});

/** Requests of an organization: half of them create a lead, half list leads. */
function healthyRequests({ token, chatbotId }: Tenant): SteadyRequest[] {
  const headers = { authorization: `Bearer ${token}` };
  const body = JSON.stringify({ chatbot_id: chatbotId, contact: { name: "Ada Novak" }, score: 10 });
  return [
    {
      method: "POST",
      path: "/api/v1/leads",
      headers: { ...headers, "content-type": "application/json" },
      body,
    },
    { method: "GET", path: "/api/v1/leads?limit=20", headers },
  ];
}

function floodRequests(tenant: Tenant): Request[] {
  return healthyRequests(tenant);
}

/** Creates the flooding organizations, with and without a rate limit, and the others; each with 10,000 leads. */
async function seed(databaseUrl: string) {
  return withClient(databaseUrl, async (client) => {
    const create = async (plan: "business" | "pro") => {
      const tenant = await createTenant(client, { plan });
      await client.query(
        "INSERT INTO leads (organization_id, chatbot_id) SELECT $1, $2 FROM generate_series(1, 10_000)",
        [tenant.organizationId, tenant.chatbotId],
      );
      return tenant;
    };
    const [unlimited, limited] = [await create("business"), await create("pro")];
    const healthy = [];
    for (let i = 0; i < healthyCount; i += 1) healthy.push(await create("business"));
    await client.query("VACUUM ANALYZE");
    return { unlimited, limited, healthy };
  });
}
