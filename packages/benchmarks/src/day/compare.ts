import type { EventType } from "@parley/contract";
import type { ExpectedEvent, ReceivedEvent } from "./events.ts";

/** Expected and received events of one type. */
export interface Count {
  expected: number;
  received: number;
  /** Repetitions of an event that arrived before. */
  duplicates: number;
  missing: number;
  unexpected: number;
}

export interface Comparison {
  types: Map<EventType, Count>;
  /** Every difference in words; empty when the subscription received exactly the expected events. */
  differences: string[];
}

/** Compares as multisets: each expected event takes one received event of the same text. */
export function compareEvents(expected: ExpectedEvent[], received: ReceivedEvent[]): Comparison {
  const types = new Map<EventType, Count>();
  const differences: string[] = [];
  function count(type: EventType, column: keyof Count): void {
    const counts = types.get(type) ?? { expected: 0, received: 0, duplicates: 0, missing: 0, unexpected: 0 };
    counts[column] += 1;
    types.set(type, counts);
  }

  const missing = new Map<string, number>();
  for (const { type, text } of expected) {
    count(type, "expected");
    missing.set(text, (missing.get(text) ?? 0) + 1);
  }
  const seen = new Set<string>();
  for (const { id, type, text } of received) {
    count(type, "received");
    const left = missing.get(text) ?? 0;
    if (seen.has(id)) {
      count(type, "duplicates");
      differences.push(`received again: ${text}`);
    } else if (left === 0) {
      count(type, "unexpected");
      differences.push(`not expected: ${text}`);
    } else missing.set(text, left - 1);
    seen.add(id);
  }
  for (const { type, text } of expected) {
    const left = missing.get(text) ?? 0;
    if (left === 0) continue;
    missing.set(text, left - 1);
    count(type, "missing");
    differences.push(`missing: ${text}`);
  }
  return { types, differences };
}
