import { connect } from "@parley/database";
import type { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scenarios } from "../src/deliveries/scenarios.ts";
import { openBench } from "../src/harness/bench.ts";

// Each side throws unless every delivery arrived once and is in the log once.

const opened = openBench({ quick: true, durable: false });
const { bench } = opened;
let databaseUrl: string;
let client: Client;
beforeAll(async () => {
  databaseUrl = await bench.startDatabase();
  client = await connect(databaseUrl);
});
afterAll(async () => {
  await client.end();
  await opened.close();
});

test.each(Object.entries(scenarios))(
  "%s: delivers everything once and logs it once",
  async (_, scenario) => {
    const { sides } = await scenario({ bench, databaseUrl, client });
    for (const measure of Object.values(sides)) expect((await measure()).rate).toBeGreaterThan(0);
  },
  240_000,
);
