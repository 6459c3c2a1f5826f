import { type Html, html } from "@parley/ui";

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const minute = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** Renders a date, for example `3 March 2026`, in UTC. */
export function date(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${day.format(time)}</time>`;
}

/** Renders a time, for example `3 March 2026 at 14:05 UTC`. The server does not know the user's time zone. */
export function dateAndTime(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${minute.format(time)} UTC</time>`;
}
