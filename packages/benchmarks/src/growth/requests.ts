import { median, percentile } from "../harness/report.ts";
import type { Organization } from "./organization.ts";

/** Times of requests in milliseconds, and requests a second. */
export interface Figures {
  p50: number;
  p99: number;
  perSecond: number;
}

/** Sends a list request, two at a time. */
export async function sendFor(durationMs: number, url: string, organization: Organization): Promise<Figures> {
  return measure(durationMs, 2, async () => void (await read(url, organization)));
}

/** Reads a list by cursor, page after page, with 100 records each, and starts again at its end. */
export async function walk(durationMs: number, url: string, organization: Organization): Promise<Figures> {
  let cursor: string | null = null;
  return measure(durationMs, 1, async () => {
    const { meta } = await read(
      `${url}?limit=100${cursor === null ? "" : `&cursor=${cursor}`}`,
      organization,
    );
    cursor = meta.next_cursor;
  });
}

/** Creates leads one after the other, while clients poll. */
export async function createLeads(
  durationMs: number,
  url: string,
  organization: Organization,
  pollers: number,
): Promise<Figures> {
  const headers = { ...authorization(organization), "content-type": "application/json" };
  const body = JSON.stringify({ chatbot_id: organization.chatbotId, contact: { name: "Ada Novak" } });
  let polling = true;
  const polls = Array.from({ length: pollers }, async () => {
    while (polling) await read(`${url}?since=1970-01-01T00:00:00Z`, organization);
  });
  const figures = await measure(durationMs, 1, async () => {
    const response = await fetch(url, { method: "POST", headers, body });
    if (response.status !== 201) throw new Error(`void: a lead was refused with ${response.status}`);
    await response.text();
  });
  polling = false;
  await Promise.all(polls);
  return figures;
}

async function measure(durationMs: number, senders: number, send: () => Promise<void>): Promise<Figures> {
  const times: number[] = [];
  const from = performance.now();
  const sendAll = async () => {
    while (performance.now() < from + durationMs) {
      const startedAt = performance.now();
      await send();
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: senders }, sendAll));
  const seconds = (performance.now() - from) / 1_000;
  return { p50: median(times), p99: percentile(times, 0.99), perSecond: times.length / seconds };
}

async function read(
  url: string,
  organization: Organization,
): Promise<{ meta: { next_cursor: string | null } }> {
  const response = await fetch(url, { headers: authorization(organization) });
  if (response.status !== 200) throw new Error(`void: ${url} responded with ${response.status}`);
  return (await response.json()) as { meta: { next_cursor: string | null } };
}

function authorization({ token }: Organization): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}
