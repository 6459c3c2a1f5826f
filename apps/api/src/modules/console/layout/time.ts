import { type Html, html } from "@parley/ui";

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const minute = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: "UTC" });
const shortDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** Renders a date, for example `3 March 2026`, in UTC. */
export function date(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${day.format(time)}</time>`;
}

/** Renders a time, for example `3 March 2026 at 14:05 UTC`. The server does not know the user's time zone. */
export function dateAndTime(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${dateAndTimeText(time)}</time>`;
}

/** Returns a time as text, for example `3 March 2026 at 14:05 UTC`. */
export function dateAndTimeText(time: Date): string {
  return `${minute.format(time)} UTC`;
}

/** Renders a time of a log, for example `3 Mar, 14:05:09`, in UTC. */
export function logTime(time: Date): Html {
  const iso = time.toISOString();
  return html`<time class="nowrap" datetime="${iso}" title="${iso}">${shortDay.format(time)}, ${clock.format(time)}</time>`;
}

/** Renders the time of a day, for example `14:05:09`, in UTC; with the date if it is another day than `now`. */
export function timeOfDay(time: Date, now: Date): Html {
  const isToday = time.toISOString().slice(0, 10) === now.toISOString().slice(0, 10);
  return isToday ? html`<time datetime="${time.toISOString()}">${clock.format(time)}</time>` : logTime(time);
}

/** Times that PostgreSQL and UUIDs have too. No record has an earlier or a later one. */
const [earliest, latest] = [0, Date.UTC(9999, 11, 31, 23, 59, 59, 999)];

/**
 * Returns the time of a filter as RFC 3339. Without an offset, as browsers send it, it is in UTC. A year before 1970, which browsers send
 * while the user types one, is 1970.
 *
 * @returns undefined if the text is not a time
 */
export function filterTime(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, day = ""] = /^(\d{4}-\d\d-\d\d)T/.exec(text) ?? [];
  const hasOffset = /(?:Z|[+-]\d\d:\d\d)$/i.test(text);
  const time = isDay(day) ? Date.parse(hasOffset ? text : `${text}Z`) : Number.NaN;
  if (Number.isNaN(time)) return undefined;
  return new Date(Math.min(Math.max(time, earliest), latest)).toISOString();
}

/** Checks whether the calendar has a day. `Date` would convert 30 February to 2 March. */
function isDay(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** Returns the value of an `input` for a time. */
export function inputTime(time: Date | string | undefined): string {
  return time === undefined ? "" : new Date(time).toISOString().slice(0, 16);
}
