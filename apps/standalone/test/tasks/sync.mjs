import { readFile, rename, writeFile } from "node:fs/promises";
import { Parley } from "@parley/sdk";

const { PARLEY_URL, PARLEY_TOKEN } = process.env;
if (!PARLEY_URL || !PARLEY_TOKEN) {
  console.error("Set PARLEY_URL and PARLEY_TOKEN.");
  process.exit(1);
}

async function load(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function save(file, value) {
  await writeFile(`${file}.tmp`, JSON.stringify(value, null, 2));
  await rename(`${file}.tmp`, file);
}

const stored = await load("leads.json");
const leads = stored ?? {};
// Without leads.json, start over.
let since = (stored && (await load("state.json"))?.since) ?? "1970-01-01T00:00:00Z";

const parley = new Parley({ baseUrl: PARLEY_URL, accessToken: PARLEY_TOKEN });
let received = 0;
try {
  // Least recently updated first, so that everything up to the last lead is complete at any time.
  for await (const lead of parley.leads.list({ since, sort: "updated_at", limit: 100 })) {
    since = lead.attributes.updated_at;
    // `since` is inclusive: skip what the last run already stored.
    if (leads[lead.id]?.attributes.updated_at === since) continue;
    leads[lead.id] = lead;
    received++;
  }
} finally {
  // Also after an error. The leads first: if the program ends in between, the next run reads them again.
  await save("leads.json", leads);
  await save("state.json", { since });
}
console.log(`synced ${received}`);
