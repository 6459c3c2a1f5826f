import { type EventType, eventTypes } from "@parley/contract";
import { printTable } from "../harness/table.ts";
import type { Count } from "./compare.ts";
import { chatbots } from "./plan/chatbots.ts";
import type { DayReport } from "./run-day.ts";

const none: Count = { expected: 0, received: 0, duplicates: 0, missing: 0, unexpected: 0 };
const listed = 40;

/** Prints what came of the day. */
export function reportDay({ subscriptions, problems, tally, costs }: DayReport): void {
  const { all, filtered, others } = subscriptions;
  const byType = (type: EventType) => cells(type, [all.types.get(type) ?? none]);
  printTable(
    ["all event types", "expected", "received", "duplicates", "missing", "unexpected"],
    [
      ...eventTypes.map(byType),
      cells("together", [...all.types.values()]),
      cells(`the subscription to ${chatbots.only}`, [...filtered.types.values()]),
      cells("the other organization's", [...others.types.values()]),
    ],
  );
  const { requests, items, failed } = tally;
  const { writingSeconds, seconds, deliveries, deliverySeconds, cpu } = costs;
  console.log(
    `\n${number(requests)} requests wrote ${number(items)} items, ${number(failed)} of them refused as intended`,
  );
  console.log(`in ${number(writingSeconds)} s, ${number(items / writingSeconds)} items/s`);
  console.log(
    `${number(deliveries)} deliveries had arrived after ${number(seconds)} s, ${number(deliveries / deliverySeconds)} deliveries/s`,
  );
  const used = Object.entries(cpu).map(([name, spent]) => `${name} ${number(spent)}`);
  console.log(`CPU s, PostgreSQL's not among them: ${used.join(", ")}`);
  for (const words of problems.slice(0, listed)) console.error(words);
  if (problems.length > listed) console.error(`and ${number(problems.length - listed)} more`);
}

function cells(name: string, counts: Count[]): string[] {
  const sum = (key: keyof Count) => counts.reduce((total, count) => total + count[key], 0);
  const columns = ["expected", "received", "duplicates", "missing", "unexpected"] as const;
  return [name, ...columns.map((key) => number(sum(key)))];
}

function number(value: number): string {
  return Math.round(value).toLocaleString("en");
}
