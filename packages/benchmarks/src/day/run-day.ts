import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { eventTypes, messagesPerMonth, type ResponseOf } from "@parley/contract";
import { conformingFetch } from "@parley/contract/testing";
import type { Client } from "pg";
import { type Child, type Commands, cpuSeconds } from "../harness/child.ts";
import type { RealServer } from "../harness/real-server.ts";
import type { RealWorker } from "../harness/real-worker.ts";
import type { Arrival, Receiver } from "../harness/receiver.ts";
import { createTenant, createVariables, type Tenant, withClient } from "../harness/seed.ts";
import { nowMs } from "../harness/time.ts";
import { bookingBot } from "./conversation.ts";
import {
  type Comparison,
  compareEvents,
  type EventBody,
  type ExpectedEvent,
  eventText,
  withNames,
} from "./events.ts";
import { nameOf } from "./item.ts";
import { planDay } from "./plan-day.ts";
import { Platform, type Tally } from "./platform.ts";
import type { PlannedRequest } from "./requests.ts";

export interface DayOptions {
  databaseUrl: string;
  /** Starts `src/<module>` as a process. */
  start: <Served extends Commands>(module: string) => Child<Served>;
  seed: number;
  conversations: number;
}

interface DayCosts {
  /** Time until everything was written. */
  writingSeconds: number;
  /** Time until everything that was written had also arrived. */
  seconds: number;
  deliveries: number;
  /** Time from the first arrival to the last one. */
  deliverySeconds: number;
  /** Seconds of CPU of each process, without PostgreSQL's. */
  cpu: Record<"server" | "worker" | "receiver" | "platform", number>;
}

/** Paths of the receiver: to the organization's subscriptions (the second one has a filter), and to another organization's. */
const paths = { all: "/steady/all", filtered: "/steady/filtered", others: "/steady/others" };

export interface DayReport {
  subscriptions: Record<keyof typeof paths, Comparison>;
  /** Descriptions of the differences from the model. */
  problems: string[];
  tally: Tally;
  costs: DayCosts;
}

const filteredChatbot = nameOf("chatbot", bookingBot);
/** The organization's plan. */
const plan = "starter";
/** No meeting starts within a minute, so the worker sends no reminder yet. */
const noReminders = { MEETING_REMINDER_MINUTES: "1" };
const patienceMs = 15_000;
const quietMs = 1_000;

/** Runs a day: the platform writes, the worker delivers, and what arrived is compared with the model. */
export function runDay({ databaseUrl, start, seed, conversations }: DayOptions): Promise<DayReport> {
  const day = planDay({ seed, conversations, startedAt: Date.now(), allowance: messagesPerMonth[plan] });
  const expected = day.expected;
  return withClient(databaseUrl, async (client) => {
    const server = start<RealServer>("harness/real-server.ts");
    const worker = start<RealWorker>("harness/real-worker.ts");
    const receiver = start<Receiver>("harness/receiver.ts");
    const [organization, other] = [
      await createTenant(client, { plan }),
      await createTenant(client, { plan }),
    ];
    const variables = createVariables(databaseUrl);
    const platformKey = `parley_pk_${randomBytes(32).toString("hex")}`;
    const hash = createHash("sha256").update(platformKey).digest("hex");
    const url = await server.call("start", { ...variables, PLATFORM_KEY_HASHES: hash });
    const receiverUrl = await receiver.call("start");
    const platform = new Platform(url, platformKey);
    const { tally } = platform;
    const write = (request: PlannedRequest) => platform.send(organization.organizationId, request);
    async function restartWorker(own = {}): Promise<void> {
      await worker.call("stop");
      await worker.call("start", { ...variables, ...own });
    }
    const readCpu = async () => ({
      server: await server.call("cpuSeconds"),
      worker: await worker.call("cpuSeconds"),
      receiver: await receiver.call("cpuSeconds"),
      platform: cpuSeconds(),
    });

    await write(day.chatbots);
    const [chatbotId] = [...tally.names].find(([, name]) => name === filteredChatbot) ?? [];
    async function subscribe(tenant: Tenant, path: string, filters: object): Promise<void> {
      const target_url = `${receiverUrl}${path}`;
      await receiver.call("expect", path, await createSubscription(url, tenant, { target_url, filters }));
    }
    await subscribe(organization, paths.all, {});
    await subscribe(organization, paths.filtered, { chatbot_id: chatbotId });
    await subscribe(other, paths.others, {});
    await restartWorker(noReminders);

    const before = await readCpu();
    const startedAt = nowMs();
    const half = Promise.withResolvers<void>();
    let left = Math.ceil(day.senders.flat().length / 2);
    const senders = day.senders.map(async (requests) => {
      for (const request of requests) {
        await write(request);
        left -= 1;
        if (left === 0) half.resolve();
      }
    });
    await Promise.all([...senders, half.promise.then(() => restartWorker(noReminders))]);
    const writingSeconds = (nowMs() - startedAt) / 1_000;
    await waitForDeliveries(receiver, client, countDeliveries(expected.day));
    const cpu = await readCpu();
    for (const name of Object.keys(cpu) as (keyof typeof cpu)[]) cpu[name] -= before[name];
    const arrivals = await receiver.call("take");
    const [firstAt, lastAt] = [arrivals[0]?.at ?? 0, arrivals.at(-1)?.at ?? 0];
    const [seconds, deliverySeconds] = [(lastAt - startedAt) / 1_000, (lastAt - firstAt) / 1_000];
    const costs = { writingSeconds, seconds, deliveries: arrivals.length, deliverySeconds, cpu };

    if (Date.now() > day.remindBefore) throw new Error("void: it took so long that meetings have begun");
    await platform.send(other.organizationId, day.otherOrganization);
    await restartWorker(); // Sends the pending reminders immediately.
    await waitForDeliveries(receiver, client, countDeliveries(expected.reminders));
    arrivals.push(...(await receiver.call("take")));
    await write(day.changes);
    await restartWorker();
    await waitForDeliveries(receiver, client, countDeliveries(expected.changes, expected.laterReminders));
    arrivals.push(...(await receiver.call("take")));
    return { ...compare(Object.values(expected).flat(), arrivals, tally), tally, costs };
  });
}

/** Returns the secret of a new subscription to all event types. */
async function createSubscription(url: string, { token }: Tenant, body: object): Promise<string> {
  const response = await conformingFetch()(`${url}/api/v1/webhooks/subscribe`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ event_types: eventTypes, ...body }),
  });
  if (response.status !== 201) throw new Error(`no subscription: ${await response.text()}`);
  const { data } = (await response.json()) as ResponseOf<"createWebhookSubscription">;
  return data.secret;
}

/** The first subscription receives every event, the second one the events of its chatbot. */
function countDeliveries(...parts: ExpectedEvent[][]): number {
  const events = parts.flat();
  return events.length + events.filter(({ chatbot }) => chatbot === filteredChatbot).length;
}

/**
 * Waits until this many deliveries have arrived, none is pending, and no other delivery has arrived for a while. If some do not
 * arrive, it ends after a time limit: the comparison reports missing events.
 */
async function waitForDeliveries(
  receiver: Child<Receiver>,
  client: Client,
  deliveries: number,
): Promise<void> {
  let before = -1;
  for (let changedAt = nowMs(); ; await sleep(50)) {
    const requests = await receiver.call("count");
    if (requests !== before) changedAt = nowMs();
    before = requests;
    const quiet = nowMs() - changedAt;
    if (quiet > patienceMs) return;
    if (requests < deliveries || quiet <= quietMs) continue;
    if ((await client.query("SELECT FROM deliveries LIMIT 1")).rowCount === 0) return;
  }
}

function compare(
  expected: ExpectedEvent[],
  arrivals: Arrival[],
  { names, wrong }: Tally,
): Pick<DayReport, "subscriptions" | "problems"> {
  const to = (name: keyof typeof paths, events: ExpectedEvent[]) => {
    const received = arrivals.flatMap(({ path, event }) => {
      if (path !== paths[name] || !event) return [];
      const body = event as EventBody & { id: string };
      return [{ id: body.id, type: body.type, text: withNames(eventText(body), names) }];
    });
    return compareEvents(events, received);
  };
  const filtered = expected.filter(({ chatbot }) => chatbot === filteredChatbot);
  const subscriptions = {
    all: to("all", expected),
    filtered: to("filtered", filtered),
    others: to("others", []),
  };
  const differences = Object.entries(subscriptions).flatMap(([name, comparison]) =>
    comparison.differences.map((problem) => `subscription ${name}: ${problem}`),
  );
  const problems = arrivals.flatMap(({ path, problems = [] }) =>
    problems.map((problem) => `${path}: ${problem}`),
  );
  return { subscriptions, problems: [...differences, ...problems, ...wrong] };
}
