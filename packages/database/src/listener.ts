import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { connect } from "./client.ts";

export interface ListenerEvents {
  /** Called when the connection listens. From now on, no notification is missed. */
  opened: () => void;
  /** Called when the connection is lost. Notifications of the last `longestSilenceMs` and later may be missed. */
  lost: (error: Error) => void;
  notified: (payload: string) => void;
}

/** Time without a response after which the connection counts as lost. A broken network causes no error. */
const longestSilenceMs = 3_000;
/** Notifications that begin with this show a listener that its connection works. Other listeners ignore them. */
const proofPrefix = "listening ";
const checkEveryMs = 1_000;
const reopenAfterMs = 500;

/**
 * Starts listening for NOTIFY on a channel, with its own connection, which is reopened after it is lost. Returns without waiting for the
 * connection.
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

/** Listens until stopped. Rejects if the connection cannot be opened or is lost. */
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
      await pause(checkEveryMs, woken);
      broken.signal.throwIfAborted();
      if (!stop.aborted) await within(longestSilenceMs - checkEveryMs, client.query("SELECT 1"));
    }
  } finally {
    await close(client);
  }
}

/** Subscribes and waits for a notification to itself, because a connection pooler may accept LISTEN and lose notifications. */
async function subscribe(client: Client, channel: string, events: ListenerEvents): Promise<void> {
  const proof = proofPrefix + randomUUID();
  const proved = new Promise<void>((resolve) => {
    client.on("notification", ({ payload = "" }) => {
      if (payload === proof) resolve();
      else if (!payload.startsWith(proofPrefix)) events.notified(payload);
    });
  });
  await client.query(`LISTEN ${channel}`);
  await client.query("SELECT pg_notify($1, $2)", [channel, proof]);
  await proved;
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response on the listening connection for ${ms} ms`)), ms);
  });
  await Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined); // Rejects only if aborted.
}

/** Closes a connection, by destroying the socket if the server does not respond. */
async function close(client: Client): Promise<void> {
  client.on("error", () => undefined);
  await within(500, client.end()).catch(() => client.connection?.stream.destroy());
}
