/**
 * What the same requests cost in organizations of 1,000, 100,000 and 1,000,000 leads. Words on the command line choose the requests whose
 * name contains one of them.
 */
import { createOrganization, type Organization } from "./growth/organization.ts";
import { createLeads, type Figures, sendFor, walk } from "./growth/requests.ts";
import { runBench } from "./harness/bench.ts";
import type { RealServer } from "./harness/real-server.ts";
import { median, printTable } from "./harness/report.ts";
import { createVariables, withClient } from "./harness/seed.ts";

const seconds = (iso: Date, more: number) => new Date(iso.getTime() + more * 1_000).toISOString();

/** Requests by name: path and query. */
const requests: Record<
  string,
  (organization: Organization) => [path: string, query?: Record<string, string>]
> = {
  "first page": () => ["leads"],
  "sorted by created_at": () => ["leads", { sort: "created_at" }],
  status: () => ["leads", { status: "qualified" }],
  chatbot_id: ({ chatbotId }) => ["leads", { chatbot_id: chatbotId }],
  email: ({ middle }) => ["leads", { email: middle.email }],
  phone: ({ middle }) => ["leads", { phone: middle.phone }],
  external_id: ({ middle }) => ["leads", { external_id: middle.externalId }],
  "created_after and created_before, 100 leads": ({ middle: { createdAt } }) => [
    "leads",
    { created_after: seconds(createdAt, 0), created_before: seconds(createdAt, 1_000) },
  ],
  "q, one lead": ({ middle }) => ["leads", { q: middle.name.split(" ")[1] ?? "" }],
  "q, one in 20 leads": () => ["leads", { q: "carla" }],
  "page in the middle, by offset": ({ leads }) => ["leads", { offset: String(leads / 2) }],
  "last page, by offset": ({ leads }) => ["leads", { offset: String(leads - 20) }],
  "since the last minute": () => ["leads", { since: new Date(Date.now() - 60_000).toISOString() }],
  "since 1970": () => ["leads", { since: "1970-01-01T00:00:00Z" }],
  "deliveries of a subscription": ({ subscriptionId }) => [`webhooks/${subscriptionId}/deliveries`],
};

await runBench(async (bench, words) => {
  const sizes = bench.quick
    ? [
        [100, 100],
        [1_000, 1_000],
      ]
    : [
        [1_000, 1_000],
        [100_000, 100_000],
        [1_000_000, 5_000_000],
      ];
  const databaseUrl = await bench.startDatabase();
  const server = bench.start<RealServer>("harness/real-server.ts");
  const url = await server.call("start", createVariables(databaseUrl));
  const organizations = await withClient(databaseUrl, async (client) => {
    const created: Organization[] = [];
    for (const [leads = 0, deliveries = 0] of sizes) {
      created.push(await createOrganization(client, url, leads, deliveries));
    }
    await client.query("SELECT fold_record_counts(1000000)");
    await client.query("VACUUM ANALYZE");
    return created;
  });

  const duration = bench.quick ? 100 : 1_000;
  const measurements: Record<string, (organization: Organization) => Promise<Figures>> = {};
  for (const [name, requestOf] of Object.entries(requests)) {
    measurements[name] = (organization) => {
      const [path, query = {}] = requestOf(organization);
      return sendFor(
        duration,
        `${url}/api/v1/${path}?${new URLSearchParams({ limit: "20", ...query })}`,
        organization,
      );
    };
  }
  measurements["all pages, by cursor"] = (organization) =>
    walk(duration, `${url}/api/v1/leads`, organization);
  for (const pollers of [0, 3]) {
    const name = pollers === 0 ? "create" : `create, next to ${pollers} clients that poll since 1970`;
    measurements[name] = (organization) =>
      createLeads(duration, `${url}/api/v1/leads`, organization, pollers);
  }

  const rows: string[][] = [];
  for (const [name, measure] of Object.entries(measurements)) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
    const measured = organizations.map((): Figures[] => []);
    for (let round = -1; round < bench.rounds(3); round += 1) {
      for (const [i, organization] of organizations.entries()) {
        const figures = await measure(organization);
        if (round >= 0) measured[i]?.push(figures);
      }
    }
    const medians = measured.map((rounds) => ({
      p50: median(rounds.map(({ p50 }) => p50)),
      p99: median(rounds.map(({ p99 }) => p99)),
      perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    }));
    const cells = medians.map(
      ({ p50, p99, perSecond }) =>
        `${p50.toFixed(1)} · ${p99.toFixed(1)} · ${Math.round(perSecond).toLocaleString("en")}`,
    );
    const ratio = (medians.at(-1)?.p50 ?? 0) / (medians[0]?.p50 ?? 1);
    rows.push([name, ...cells, ratio.toFixed(1)]);
  }
  const headings = sizes.map(([leads]) => `${leads?.toLocaleString("en")} leads`);
  printTable(["p50 ms · p99 ms · requests/s", ...headings, "p50, largest / smallest"], rows);
  console.log(
    `Log: ${sizes.map(([, deliveries]) => deliveries?.toLocaleString("en")).join(", ")} deliveries.`,
  );
});
