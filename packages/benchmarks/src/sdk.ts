/** Size of the SDK's bundles and speed of its verification, compared with other libraries. See README.md. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { sign, verify } from "@octokit/webhooks-methods";
import { signWebhook, verifyWebhook } from "@parley/sdk/webhooks";
import { rolldown } from "rolldown";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { runBench } from "./harness/bench.ts";
import { compareSides, printTable } from "./harness/report.ts";

/** Imports, by the used part of a package. */
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

await runBench(async ({ quick }) => {
  const rows = [];
  for (const [name, code] of Object.entries(imports))
    rows.push([name, ((await bundle(code)) / 1000).toFixed(1)]);
  printTable(["bundled, minified, gzipped", "kB"], rows);
  for (const bytes of [1000, 20_000]) {
    const calls = quick ? 50 : Math.round(4_000_000 / (bytes + 1000));
    const contenders = await contendersFor(eventOf(bytes));
    const sides = contenders.map(([name, contender]) => [name, () => measure(contender, calls)] as const);
    await compareSides(
      `${bytes.toLocaleString("en")} bytes`,
      { us: ["µs", 1], perSecond: ["a second", 0] },
      Object.fromEntries(sides),
      quick ? { rounds: 2 } : { rounds: 50, warmUps: 10 },
    );
  }
});

/** Returns the size of an import, minified and gzipped, without Node.js modules. */
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

async function measure(verifyOne: () => unknown, calls: number) {
  const start = performance.now();
  for (let call = 0; call < calls; call++) await verifyOne();
  const us = ((performance.now() - start) * 1000) / calls;
  return { us, perSecond: 1e6 / us };
}

/** Returns an event of this many bytes. */
function eventOf(bytes: number): Buffer {
  const parts: string[] = [];
  const event = { id: "01928c61-0000-7b1c-9a2d-3c4d5e6f7a80", type: "lead.created", data: { parts } };
  while (JSON.stringify(event).length < bytes - 30) parts.push("Where is my invoice?");
  return Buffer.from(JSON.stringify(event).padEnd(bytes));
}

/** Returns functions that convert the raw body and the headers from Node.js to the event. */
async function contendersFor(body: Buffer): Promise<[name: string, verify: () => unknown][]> {
  const text = body.toString();
  const key = Buffer.alloc(32, 7).toString("base64");
  const secret = `parley_ws_${key}`;
  const usual = {
    host: "example.com",
    "user-agent": "Parley",
    "content-type": "application/json",
    accept: "*/*",
  };
  const parley = {
    ...usual,
    "x-parley-event": "lead.created",
    ...(await signWebhook({ payload: body, secret })),
  };

  const stripe = new Stripe("sk_test_0");
  const stripeHeader = stripe.webhooks.generateTestHeaderString({ payload: text, secret });

  const standard = new Webhook(key);
  const now = new Date();
  const standardHeaders = {
    ...usual,
    "webhook-id": "1",
    "webhook-timestamp": `${Math.floor(now.getTime() / 1000)}`,
    "webhook-signature": standard.sign("1", now, text),
  };
  const octokitSignature = await sign(secret, text);

  return [
    ["@parley/sdk", () => verifyWebhook({ payload: body, headers: parley, secret })],
    ["stripe", () => stripe.webhooks.constructEvent(body, stripeHeader, secret)],
    ["standardwebhooks", () => standard.verify(body, standardHeaders)],
    [
      "@octokit/webhooks-methods",
      async () => {
        const payload = body.toString();
        if (!(await verify(secret, payload, octokitSignature))) throw new Error("refused");
        return JSON.parse(payload);
      },
    ],
    ["bare node:crypto", () => bare(body, parley, secret)],
  ];
}

/** The least code that verifies. */
function bare(body: Buffer, headers: Record<string, string>, secret: string): unknown {
  const timestamp = headers["x-parley-timestamp"] ?? "";
  const given = Buffer.from((headers["x-parley-signature"] ?? "").slice("sha256=".length), "hex");
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) throw new Error("too old");
  const digest = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest();
  if (!timingSafeEqual(digest, given)) throw new Error("refused");
  return JSON.parse(body.toString());
}
