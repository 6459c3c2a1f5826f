import { setTimeout as sleep } from "node:timers/promises";
import { createdLead } from "../deliveries/body.ts";
import { nowMs } from "../harness/clock.ts";

/** An event whose change was committed, as far as the publisher was told. */
export interface Published {
  /** The id of the lead that it tells of: a receiver finds it in the body. */
  leadId: string;
  organizationId: string;
  /** When the publisher heard of the commit, by `nowMs`. */
  committedAt: number;
}

export interface PublishedList {
  published: Published[];
  /** Leads whose change failed, or was committed without an answer. */
  uncertain: string[];
}

/** Commits a change with its event. */
export type MakeChange = (organizationId: string, data: ReturnType<typeof createdLead>) => Promise<void>;

const tickMs = 4;
let makeChange: MakeChange | undefined;
let list = none();
let publishing: Promise<void> | undefined;
let under = 0;
let stopped = false;

function none(): PublishedList {
  return { published: [], uncertain: [] };
}

async function publishOne(organizationId: string, number: number): Promise<void> {
  const data = createdLead(number);
  under += 1;
  try {
    await makeChange?.(organizationId, data);
    list.published.push({ leadId: data.id, organizationId, committedAt: nowMs() });
  } catch {
    list.uncertain.push(data.id);
  }
  under -= 1;
}

/** Keeps to the rate however long changes take; what is late is made up for. */
async function publishSteadily(organizationIds: string[], perSecond: number): Promise<void> {
  const startedAt = nowMs();
  for (let count = 0; !stopped; ) {
    for (const until = ((nowMs() - startedAt) / 1_000) * perSecond; count < until; count += 1) {
      const organizationId = organizationIds[count % organizationIds.length];
      if (organizationId) void publishOne(organizationId, count);
    }
    await sleep(tickMs);
  }
  while (under > 0) await sleep(tickMs);
}

/** Commands that publish events as `connected` says. */
export function steadyPublisher(connected: (databaseUrl: string) => MakeChange) {
  return {
    connect(databaseUrl: string): void {
      makeChange = connected(databaseUrl);
    },
    /** Begins to publish events of the organizations in turn, each in a change of its own. */
    start(organizationIds: string[], perSecond: number): void {
      stopped = false;
      list = none();
      publishing = publishSteadily(organizationIds, perSecond);
    },
    /** Resolves when every change that was begun has ended. */
    async stop(): Promise<PublishedList> {
      stopped = true;
      await publishing;
      return list;
    },
  };
}

export type EventPublisher = ReturnType<typeof steadyPublisher>;
