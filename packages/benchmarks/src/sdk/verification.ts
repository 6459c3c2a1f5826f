import { createHmac, timingSafeEqual } from "node:crypto";
import { sign, verify } from "@octokit/webhooks-methods";
import { signWebhook, verifyWebhook } from "@parley/sdk/webhooks";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { median, withSpread } from "../harness/statistics.ts";
import { printTable } from "../harness/table.ts";

type Contender = () => unknown;

/**
 * Prints how long each takes from the raw body and the headers, as Node has them, to the event. All sides sign with
 * HMAC-SHA-256 and check the time, but for octokit, whose scheme has none and which leaves JSON to the caller.
 */
export async function measureVerification(bytes: number, quick: boolean): Promise<void> {
  const contenders = await contendersFor(eventOf(bytes));
  const times = new Map([...contenders.keys()].map((name) => [name, [] as number[]]));
  const calls = quick ? 50 : Math.round(4_000_000 / (bytes + 1000));
  for (let round = 0; round < (quick ? 2 : 60); round++) {
    for (const [name, contender] of contenders) times.get(name)?.push(await microseconds(contender, calls));
  }
  // The first rounds warm up.
  const measured = [...times].map(([name, all]) => [name, all.slice(all.length / 6)] as const);
  const [, bare = []] = measured[0] ?? [];
  printTable(
    [`${bytes.toLocaleString("en")} bytes`, "µs", "bare to it"],
    measured.map(([name, own]) => [
      name,
      withSpread(own, 1),
      median(own.map((time, round) => (bare[round] ?? Number.NaN) / time)).toFixed(2),
    ]),
  );
}

async function microseconds(contender: Contender, calls: number): Promise<number> {
  const start = performance.now();
  for (let call = 0; call < calls; call++) await contender();
  return ((performance.now() - start) * 1000) / calls;
}

/** A lead with a long source, of so many bytes. */
function eventOf(bytes: number): Buffer {
  const parts: string[] = [];
  const event = { id: "01928c61-0000-7b1c-9a2d-3c4d5e6f7a80", type: "lead.created", data: { parts } };
  while (JSON.stringify(event).length < bytes - 30) parts.push("Where is my invoice?");
  return Buffer.from(JSON.stringify(event).padEnd(bytes));
}

async function contendersFor(body: Buffer): Promise<Map<string, Contender>> {
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

  return new Map<string, Contender>([
    ["bare node:crypto", () => bare(body, parley, secret)],
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
  ]);
}

/** The least that does the work. */
function bare(body: Buffer, headers: Record<string, string>, secret: string): unknown {
  const timestamp = headers["x-parley-timestamp"] ?? "";
  const given = Buffer.from((headers["x-parley-signature"] ?? "").slice("sha256=".length), "hex");
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) throw new Error("too old");
  const digest = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest();
  if (!timingSafeEqual(digest, given)) throw new Error("refused");
  return JSON.parse(body.toString());
}
