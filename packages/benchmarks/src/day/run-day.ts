import type { Client } from "pg";
import type { Child } from "../harness/child.ts";
import type { Commands } from "../harness/serve.ts";
import { withClient } from "../harness/with-client.ts";
import { type Comparison, compareEvents, inNames } from "./compare.ts";
import { type DayCosts, measureCosts } from "./costs.ts";
import type { DayEvent } from "./describe.ts";
import { nameOf } from "./model/model.ts";
import { chatbots } from "./plan/chatbots.ts";
import { type DayPlan, planDay } from "./plan/plan-day.ts";
import { strangers } from "./plan/strangers.ts";
import { Platform, type Tally } from "./platform.ts";
import { allowance, paths, restartWorker, type Scene, startScene, subscribe } from "./scene.ts";
import { settle } from "./settle.ts";

export interface DaySetting {
  databaseUrl: string;
  /** Starts `src/<module>` in a process of its own. */
  start: <Served extends Commands>(module: string) => Child<Served>;
  seed: number;
  conversations: number;
}

/** What came of the day. */
export interface DayReport {
  subscriptions: Record<keyof typeof paths, Comparison>;
  /** Everything that is not as it should be, in words. */
  problems: string[];
  tally: Tally;
  costs: DayCosts;
}

const only = nameOf("chatbot", chatbots.only);

/** Lives through a day: the platform writes, the worker delivers, and what arrived is compared with what had to. */
export function runDay({ databaseUrl, start, seed, conversations }: DaySetting): Promise<DayReport> {
  const plan = planDay({ seed, conversations, startedAt: Date.now(), allowance });
  return withClient(databaseUrl, async (client) => {
    const scene = await startScene(client, databaseUrl, start);
    const platform = new Platform(scene.url, scene.platformKey);
    await platform.send(scene.ours.organizationId, plan.morning);
    await subscribe(scene, idOf(platform.tally, only));
    await restartWorker(scene, notYet);
    const costs = await measureCosts(
      scene,
      () => writeSideBySide(scene, platform, plan),
      () => settle(scene.receiver, client, deliveriesOf(plan.expected.day)),
    );
    await remindTwice(scene, platform, plan, client);
    return compare(scene, platform.tally, plan, costs);
  });
}

/** Nothing is reminded of yet: what is to come within the minute is nothing. */
const notYet = { MEETING_REMINDER_MINUTES: "1" };

/** Senders write side by side. In the middle of the day the worker is stopped and started again. */
async function writeSideBySide(scene: Scene, platform: Platform, plan: DayPlan): Promise<void> {
  const { organizationId } = scene.ours;
  const middle = Promise.withResolvers<void>();
  let left = Math.ceil(plan.senders.flat().length / 2);
  const senders = plan.senders.map(async (requests) => {
    for (const request of requests) {
      await platform.send(organizationId, request);
      left -= 1;
      if (left === 0) middle.resolve();
    }
  });
  await Promise.all([...senders, middle.promise.then(() => restartWorker(scene, notYet))]);
}

/** A worker that starts sends the reminders that are due at once. */
async function remindTwice(scene: Scene, platform: Platform, plan: DayPlan, client: Client): Promise<void> {
  const { day, reminders, evening, laterReminders } = plan.expected;
  if (Date.now() > plan.remindBefore) throw new Error("void: it took so long that meetings have begun");
  await platform.send(scene.others.organizationId, strangers);
  await restartWorker(scene, {});
  await settle(scene.receiver, client, deliveriesOf(day, reminders));
  await platform.send(scene.ours.organizationId, plan.evening);
  await restartWorker(scene, {});
  await settle(scene.receiver, client, deliveriesOf(day, reminders, evening, laterReminders));
}

/** Each event goes to the first subscription, and to the second one when it is of its chatbot. */
function deliveriesOf(...parts: DayEvent[][]): number {
  const events = parts.flat();
  return events.length + events.filter(({ chatbot }) => chatbot === only).length;
}

async function compare(scene: Scene, tally: Tally, plan: DayPlan, costs: DayCosts): Promise<DayReport> {
  const { gists, faults } = await scene.receiver.call("all");
  const received = gists.map((gist) => inNames(gist, tally.names));
  const expected = Object.values(plan.expected).flat();
  const to = (path: string, events: DayEvent[]) =>
    compareEvents(
      events,
      received.filter((gist) => gist.path === path),
    );
  const subscriptions = {
    all: to(paths.all, expected),
    filtered: to(
      paths.filtered,
      expected.filter(({ chatbot }) => chatbot === only),
    ),
    others: to(paths.others, []),
  };
  const differences = Object.entries(subscriptions).flatMap(([name, comparison]) =>
    comparison.differences.map((words) => `subscription ${name}: ${words}`),
  );
  return { subscriptions, problems: [...differences, ...faults, ...tally.wrong], tally, costs };
}

function idOf({ names }: Tally, wanted: string): string {
  const [id] = [...names].find(([, name]) => name === wanted) ?? [];
  if (id === undefined) throw new Error(`${wanted} was not written`);
  return id;
}
