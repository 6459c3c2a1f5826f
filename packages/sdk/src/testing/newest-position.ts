import type { Parley } from "../parley.ts";

/** Returns the position after the newest event. */
export async function newestPosition(parley: Pick<Parley, "events">, signal: AbortSignal): Promise<string> {
  const { meta } = await parley.events.list({ cursor: "latest", limit: 1 }, { signal });
  return meta.next_cursor;
}
