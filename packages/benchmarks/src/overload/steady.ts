/** Sends the requests of several organizations at a fixed rate, however long the responses take. */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { serve } from "../harness/child.ts";
import { nowMs } from "../harness/time.ts";

export interface SteadyRequest {
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body?: string;
}

interface Steady {
  url: string;
  /** Sent in turn. */
  requests: SteadyRequest[];
  /** Requests per second. */
  rate: number;
  seconds: number;
}

export interface SteadyResult {
  /** Number of requests. */
  sent: number;
  /** Response times of the requests with status 2xx, in milliseconds. */
  durations: number[];
}

const tickMs = 2;
const agent = new Agent({ connections: null, pipelining: 1 });

const commands = {
  async send({ url, requests, rate, seconds }: Steady): Promise<SteadyResult> {
    const durations: number[] = [];
    const running: Promise<void>[] = [];
    async function sendOne({ method, path, headers, body = "" }: SteadyRequest): Promise<void> {
      const startedAt = nowMs();
      const content = method === "POST" ? { body } : {};
      const response = await request(url + path, { method, headers, dispatcher: agent, ...content });
      await response.body.dump();
      if (response.statusCode < 300) durations.push(nowMs() - startedAt);
    }
    const startedAt = nowMs();
    for (let sent = 0; sent < rate * seconds; ) {
      for (
        const until = ((nowMs() - startedAt) / 1_000) * rate;
        sent < Math.min(until, rate * seconds);
        sent += 1
      ) {
        const next = requests[sent % requests.length];
        if (next) running.push(sendOne(next).catch(() => undefined));
      }
      await sleep(tickMs);
    }
    await Promise.all(running);
    return { sent: running.length, durations };
  },
};

export type SteadySender = typeof commands;

serve(commands);
