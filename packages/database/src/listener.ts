import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { connect } from "./client.ts";

export interface ListenerEvents {
  /** From now on every notification is heard. */
  opened: () => void;
  /** Notifications may be missed from now on, and may have been for `longestSilenceMs`. */
  lost: (error: Error) => void;
  notified: (payload: string) => void;
}

/** After this long without a sign of life the connection counts as lost: a broken network says nothing by itself. */
const longestSilenceMs = 3_000;
const askEveryMs = 1_000;
const reopenAfterMs = 500;

/**
 * Hears NOTIFY on a channel over a connection of its own, which it opens anew whenever it is lost. It returns at once and
 * waits for no server.
 *
 * @param channel a plain lower-case name
 */
export function startListener(
  url: string,
  channel: string,
  events: ListenerEvents,
): { stop(): Promise<void> } {
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const error = await listen(url, channel, events, stopping.signal).catch((reason: unknown) => reason);
      if (stopping.signal.aborted) return;
      events.lost(error instanceof Error ? error : new Error("the listening connection ended"));
      await pause(reopenAfterMs, stopping.signal);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Resolves when it is told to stop, rejects when the connection does not work (any longer). */
async function listen(
  url: string,
  channel: string,
  events: ListenerEvents,
  stop: AbortSignal,
): Promise<void> {
  const client = await connect(url, { connectTimeoutMs: longestSilenceMs });
  const broken = new AbortController();
  client.on("error", (error) => broken.abort(error));
  client.on("end", () => broken.abort(new Error("the listening connection ended")));
  const woken = AbortSignal.any([stop, broken.signal]);
  try {
    await within(longestSilenceMs, subscribe(client, channel, events));
    if (!woken.aborted) events.opened();
    while (!stop.aborted) {
      await pause(askEveryMs, woken);
      broken.signal.throwIfAborted();
      if (!stop.aborted) await within(longestSilenceMs - askEveryMs, client.query("SELECT 1"));
    }
  } finally {
    await close(client);
  }
}

/** A pooler between may take LISTEN and lose what is notified: only what came back by itself proves that it works. */
async function subscribe(client: Client, channel: string, events: ListenerEvents): Promise<void> {
  const proof = randomUUID();
  const proved = new Promise<void>((resolve) => {
    client.on("notification", ({ payload = "" }) => {
      if (payload === proof) resolve();
      else events.notified(payload);
    });
  });
  await client.query(`LISTEN ${channel}`);
  await client.query("SELECT pg_notify($1, $2)", [channel, proof]);
  await proved;
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the listening connection was silent for ${ms} ms`)), ms);
  });
  await Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined); // It only rejects when it is aborted.
}

/** What does not answer cannot say goodbye. */
async function close(client: Client): Promise<void> {
  client.on("error", () => undefined);
  await within(500, client.end()).catch(() => client.connection?.stream.destroy());
}
