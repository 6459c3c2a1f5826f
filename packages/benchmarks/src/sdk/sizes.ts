import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { printTable } from "../harness/table.ts";

/** What a program imports that wants this of a package. */
const imports = {
  "@parley/sdk/webhooks, all of it": `export * from "@parley/sdk/webhooks"`,
  "@parley/sdk/webhooks/node: a receiver": `export { receiveWebhooks } from "@parley/sdk/webhooks/node"`,
  "@octokit/webhooks-methods: verify": `export { verify } from "@octokit/webhooks-methods"`,
  "standardwebhooks: Webhook": `export { Webhook } from "standardwebhooks"`,
  "svix: Webhook": `export { Webhook } from "svix"`,
  "stripe: webhooks": `import Stripe from "stripe"; export const { webhooks } = Stripe`,
  "@parley/sdk: Parley": `export { Parley } from "@parley/sdk"`,
  "@parley/sdk: Parley and rawClient, with openapi-fetch": `export { Parley, rawClient } from "@parley/sdk"`,
  "@parley/sdk, all of it": `export * from "@parley/sdk"`,
  "openapi-fetch": `export { default } from "openapi-fetch"`,
  "svix: Svix": `export { Svix } from "svix"`,
  "stripe: Stripe": `export { default } from "stripe"`,
};

/** Prints what a bundler makes of each import, minified and gzipped; modules of Node are left out. */
export async function measureSizes(): Promise<void> {
  const rows = [];
  for (const [name, code] of Object.entries(imports)) rows.push([name, kilobytes(await bundle(code))]);
  printTable(["bundled, minified, gzipped", "kB"], rows);
}

async function bundle(code: string): Promise<number> {
  const entry = join(import.meta.dirname, "entry.js");
  const build = await rolldown({
    input: entry,
    platform: "node",
    logLevel: "silent",
    plugins: [
      {
        name: "entry",
        load: (id) => (id === entry ? code : null),
        resolveId: (id) => (id === entry ? id : null),
      },
    ],
  });
  const { output } = await build.generate({ minify: true });
  await build.close();
  return output.reduce((sum, part) => sum + (part.type === "chunk" ? gzipSync(part.code).length : 0), 0);
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
