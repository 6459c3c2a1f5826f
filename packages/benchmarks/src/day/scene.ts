import { createHash, randomBytes } from "node:crypto";
import { eventTypes, messagesPerMonth, type Plan, type ResponseOf } from "@parley/contract";
import { conformingFetch } from "@parley/contract/testing";
import type { Client } from "pg";
import type { Child } from "../harness/child.ts";
import { createTenant, type Tenant } from "../harness/create-tenant.ts";
import type { RealServer } from "../harness/real-server.ts";
import type { RealWorker } from "../harness/real-worker.ts";
import type { Commands } from "../harness/serve.ts";
import type { Receiver } from "./receiver.ts";

/** What the day takes place in. Each program is a process of its own. */
export interface Scene {
  server: Child<RealServer>;
  worker: Child<RealWorker>;
  receiver: Child<Receiver>;
  url: string;
  /** The receiver's, to which paths are added. */
  receiverUrl: string;
  platformKey: string;
  /** The organization whose day it is. */
  ours: Tenant;
  /** Another one, of which nobody should hear anything. */
  others: Tenant;
  /** Variables of server and worker. */
  variables: Record<string, string>;
}

const plan: Plan = "starter";

/** Messages a month that the organizations' plan includes. */
export const allowance = messagesPerMonth[plan];

/** Starts the programs, but for the worker. */
export async function startScene(
  client: Client,
  databaseUrl: string,
  start: <Served extends Commands>(module: string) => Child<Served>,
): Promise<Scene> {
  const server = start<RealServer>("harness/real-server.ts");
  const worker = start<RealWorker>("harness/real-worker.ts");
  const receiver = start<Receiver>("day/receiver.ts");
  const ours = await createTenant(client, "Ours", plan);
  const others = await createTenant(client, "Others", plan);
  const platformKey = `parley_pk_${randomBytes(32).toString("hex")}`;
  const variables = {
    DATABASE_URL: databaseUrl,
    PARLEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    WEBHOOKS_ALLOW_LOOPBACK: "true",
  };
  const hash = createHash("sha256").update(platformKey).digest("hex");
  const url = await server.call("start", { ...variables, PLATFORM_KEY_HASHES: hash });
  const receiverUrl = await receiver.call("start");
  return { server, worker, receiver, url, receiverUrl, platformKey, ours, others, variables };
}

/** Stops the worker, if it runs, and starts it with some variables of its own. */
export async function restartWorker(
  { worker, variables }: Scene,
  own: Record<string, string>,
): Promise<void> {
  await worker.call("stop");
  await worker.call("start", { ...variables, ...own });
}

/** Paths of the receiver, one a subscription. */
export const paths = { all: "/all", filtered: "/filtered", others: "/others" };

/**
 * Subscribes to all event types: ours twice, the second time to one chatbot alone, and the other organization's.
 *
 * @param chatbotId of the second one
 */
export async function subscribe(
  { url, receiver, receiverUrl, ours, others }: Scene,
  chatbotId: string,
): Promise<void> {
  const fetch = conformingFetch();
  async function add({ token }: Tenant, path: string, filters: object): Promise<void> {
    const response = await fetch(`${url}/api/v1/webhooks/subscribe`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ target_url: `${receiverUrl}${path}`, event_types: eventTypes, filters }),
    });
    if (response.status !== 201) throw new Error(`no subscription: ${await response.text()}`);
    const { data } = (await response.json()) as ResponseOf<"createSubscription">;
    await receiver.call("expect", path, data.secret);
  }
  await add(ours, paths.all, {});
  await add(ours, paths.filtered, { chatbot_id: chatbotId });
  await add(others, paths.others, {});
}
