import type { Random } from "../../harness/random.ts";

/** What a conversation's threads have in common. */
export interface Subject {
  random: Random;
  /** Part of the ids of all its records. */
  id: string;
  /** The platform's own id of the chatbot. */
  chatbot: string;
  /** When the day began; ms since 1970. */
  startedAt: number;
}

export const minute = 60_000;
export const day = 24 * 60 * minute;

/** A time at some distance from the beginning of the day. */
export function timeAt({ startedAt }: Subject, ms: number): string {
  return new Date(startedAt + ms).toISOString();
}
