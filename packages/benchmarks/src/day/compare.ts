import type { EventType } from "@parley/contract";
import type { DayEvent } from "./describe.ts";
import type { Gist } from "./gist.ts";

/** What a subscription was to receive and what it received, of one event type. */
export interface Count {
  expected: number;
  received: number;
  /** Events that came more than once, each time after the first. */
  duplicates: number;
  missing: number;
  unexpected: number;
}

export interface Comparison {
  types: Map<EventType, Count>;
  /** Every difference in words; empty when the subscription received what it should. */
  differences: string[];
}

/**
 * Compares as multisets: each expected event takes one received event of the same content.
 *
 * @param received in the platform's names
 */
export function compareEvents(expected: DayEvent[], received: Gist[]): Comparison {
  const types = new Map<EventType, Count>();
  const differences: string[] = [];
  const countOf = (type: EventType): Count => {
    const count = types.get(type) ?? { expected: 0, received: 0, duplicates: 0, missing: 0, unexpected: 0 };
    types.set(type, count);
    return count;
  };

  const open = new Map<string, number>();
  for (const event of expected) {
    countOf(event.type).expected += 1;
    const text = textOf(event);
    open.set(text, (open.get(text) ?? 0) + 1);
  }
  const seen = new Set<string>();
  const unexpected: Gist[] = [];
  for (const gist of received) {
    countOf(gist.type).received += 1;
    const text = textOf(gist);
    const left = open.get(text) ?? 0;
    if (seen.has(gist.eventId)) {
      countOf(gist.type).duplicates += 1;
      differences.push(`came again: ${text}`);
    } else if (left === 0) unexpected.push(gist);
    else open.set(text, left - 1);
    seen.add(gist.eventId);
  }
  for (const gist of unexpected) {
    countOf(gist.type).unexpected += 1;
    differences.push(`not expected: ${textOf(gist)}`);
  }
  for (const event of expected) {
    const text = textOf(event);
    const left = open.get(text) ?? 0;
    if (left === 0) continue;
    open.set(text, left - 1);
    countOf(event.type).missing += 1;
    differences.push(`missing: ${text}`);
  }
  return { types, differences };
}

function textOf({ type, chatbot, record, content }: DayEvent): string {
  return `${type} of ${record} (${chatbot ?? "no chatbot"}): ${content}`;
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Puts the platform's names in the place of Parley's ids; an id that the platform never got stays. */
export function inNames(gist: Gist, names: Map<string, string>): Gist {
  const named = (text: string) => text.replace(uuid, (id) => names.get(id) ?? id);
  const [id] = gist.record.match(uuid) ?? [];
  return {
    ...gist,
    chatbot: gist.chatbot && named(gist.chatbot),
    record: (id && names.get(id)) ?? gist.record,
    content: named(gist.content),
  };
}
