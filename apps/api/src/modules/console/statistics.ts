/** Statistics of deliveries in the form in which pages show them. */

import { columnChart, type Html, sparkline } from "@parley/ui";
import type { DeliveryStatistics, HourOfDeliveries } from "@parley/webhooks";
import { count } from "./layout/numbers.ts";

const hourMs = 3_600_000;

/** Number of hours that charts show. */
const hours = 24;

/** Returns the 24 hours until now, of which the last one has not ended. */
export function lastDay(now: Date): { from: Date; until: Date } {
  const until = new Date(Math.floor(now.getTime() / hourMs) * hourMs + hourMs);
  return { from: new Date(until.getTime() - hours * hourMs), until };
}

/** Renders the attempts of 24 hours small, for a list. @param counts hours with attempts, in any order */
export function daySparkline(counts: HourOfDeliveries[], from: Date): Html {
  const values = perHour(counts, from);
  const failures = sum(values.failed) + sum(values.exhausted);
  return sparkline({
    label: `24 hours: ${count(sum(values.delivered))} delivered, ${count(failures)} failed attempts`,
    series: [
      { kind: "good", values: values.delivered },
      { kind: "warning", values: values.failed },
      { kind: "alert", values: values.exhausted },
    ],
  });
}

/** Renders the attempts of each hour by outcome. @param counts hours with attempts of one or several subscriptions */
export function outcomeChart(counts: HourOfDeliveries[], from: Date): Html {
  const values = perHour(counts, from);
  const labels = Array.from({ length: hours }, (_, index) =>
    hourLabel(new Date(from.getTime() + index * hourMs)),
  );
  const [delivered, failed, exhausted] = [sum(values.delivered), sum(values.failed), sum(values.exhausted)];
  return columnChart({
    id: "outcomes",
    title: "Attempts per hour, last 24 hours (UTC)",
    description: `${count(delivered)} attempts delivered, ${count(failed)} failed and are retried, ${count(exhausted)} were the last of their delivery.`,
    labelName: "Hour",
    labels,
    series: [
      { name: "Delivered", kind: "good", values: values.delivered },
      { name: "Failed, retried", kind: "warning", values: values.failed },
      { name: "Failed, exhausted", kind: "alert", values: values.exhausted },
    ],
  });
}

/** Returns the hours of all subscriptions. */
export function allHours(statistics: DeliveryStatistics): HourOfDeliveries[] {
  return statistics.subscriptions.flatMap((one) => one.hours);
}

function perHour(counts: HourOfDeliveries[], from: Date) {
  const empty = () => new Array<number>(hours).fill(0);
  const values = { delivered: empty(), failed: empty(), exhausted: empty() };
  for (const { hour, delivered, failed, exhausted } of counts) {
    const index = Math.round((hour.getTime() - from.getTime()) / hourMs);
    if (index < 0 || index >= hours) continue;
    values.delivered[index] = (values.delivered[index] ?? 0) + delivered;
    values.failed[index] = (values.failed[index] ?? 0) + failed;
    values.exhausted[index] = (values.exhausted[index] ?? 0) + exhausted;
  }
  return values;
}

function hourLabel(hour: Date): string {
  return `${hour.toISOString().slice(11, 13)}:00`;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
