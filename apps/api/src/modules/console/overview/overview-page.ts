import type { RequestCountsOfMinute } from "@parley/database";
import { button, emptyState, type Html, html, notice, table } from "@parley/ui";
import type { DeliveryStatistics, ListedEvent } from "@parley/webhooks";
import type { Page } from "../../oauth/pages/page.ts";
import {
  eventsAddress,
  overviewAddress,
  requestsAddress,
  webhookAddress,
  webhooksAddress,
} from "../addresses.ts";
import { deliveryFigures } from "../deliveries/figures.ts";
import { eventTable } from "../events/list-page.ts";
import { consolePage } from "../layout/console-page.ts";
import { count, counted } from "../layout/numbers.ts";
import { urlLink } from "../layout/short-url.ts";
import type { ConsoleSession } from "../page-requests.ts";
import { requestChart } from "../request-chart.ts";
import { allHours, lastDay, outcomeChart } from "../statistics.ts";
import type { ListedWebhook } from "../webhooks/list-page.ts";
import { canChange, planWarning } from "../webhooks/plan-warning.ts";
import { stateCell, subscriptionState } from "../webhooks/state.ts";

interface Overview {
  webhooks: ListedWebhook[];
  statistics: DeliveryStatistics;
  events: ListedEvent[];
  minutes: RequestCountsOfMinute[];
  /** Requests per minute of the plan; undefined without access. */
  limit: number | undefined;
}

/** Renders the overview: what needs attention, the deliveries of the last 24 hours, API requests, and the latest events. */
export function overviewPage(session: ConsoleSession, overview: Overview, now: Date): Page {
  const { webhooks, statistics, events, minutes, limit } = overview;
  const hours = allHours(statistics);
  const content = html`
${planWarning(session)}
<div class="stack" data-live>
${attention(webhooks, canChange(session), now)}
${deliveryFigures(
  hours,
  statistics,
  webhooks.map(({ queue }) => queue),
)}
${outcomeChart(hours, lastDay(now).from)}
${requestChart(minutes, { now, limit })}
<p><a href="${requestsAddress}">All API requests</a></p>
<h2>Latest events</h2>
${events.length > 0 ? html`${eventTable(events, { caption: "Latest events", hidesCaption: true })}<p><a href="${eventsAddress}">All events</a></p>` : emptyState("No events yet. One is recorded when a lead, ticket, conversation, meeting or another record changes.")}
</div>`;
  return consolePage(session, { title: "Overview", content, section: overviewAddress });
}

function attention(webhooks: ListedWebhook[], offersNew: boolean, now: Date): Html {
  if (webhooks.length === 0) {
    return html`${emptyState("No webhooks yet.")}
${offersNew && html`<div class="buttons">${button("Set up a webhook", { href: `${webhooksAddress}/new` })}</div>`}`;
  }
  const states = webhooks.map(({ row, queue }) => ({ row, state: subscriptionState(row, queue, now) }));
  const wrong = states.filter(({ state }) => state.name !== "Active");
  if (wrong.length === 0) return notice(`All webhooks are active (${count(webhooks.length)}).`);
  const caption = `${counted(wrong.length, "webhook needs", "webhooks need")} attention`;
  return table(
    caption,
    ["URL", "State", "What happens next"],
    wrong.map(({ row, state }) => [
      urlLink(webhookAddress(row.id), row.targetUrl),
      stateCell(state),
      state.next,
    ]),
  );
}
