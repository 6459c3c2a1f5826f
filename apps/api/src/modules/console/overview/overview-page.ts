import type { RequestCountsOfMinute } from "@parley/database";
import { button, card, emptyState, figures, type Html, html, notice, table } from "@parley/ui";
import type { DeliveryStatistics, ListedEvent } from "@parley/webhooks";
import type { Page } from "../../oauth/pages/page.ts";
import {
  eventsAddress,
  overviewAddress,
  requestsAddress,
  webhookAddress,
  webhooksAddress,
} from "../addresses.ts";
import { eventTable } from "../events/list-page.ts";
import { consolePage } from "../layout/console-page.ts";
import { count, counted, duration, percent } from "../layout/numbers.ts";
import { logTime } from "../layout/time.ts";
import type { ConsoleSession } from "../page-requests.ts";
import { requestChart } from "../request-chart.ts";
import { allHours, lastDay, outcomeChart } from "../statistics.ts";
import type { ListedWebhook } from "../webhooks/list-page.ts";
import { planWarning } from "../webhooks/plan-warning.ts";
import { mostShown, stateCell, subscriptionState } from "../webhooks/state.ts";

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
  const content = html`
${planWarning(session)}
<div class="stack" data-live>
${attention(webhooks, now)}
${numbers(overview)}
${outcomeChart(allHours(statistics), lastDay(now).from)}
${requestChart(minutes, { now, limit })}
<p><a href="${requestsAddress}">All API requests</a></p>
<h2>Latest events</h2>
${events.length > 0 ? html`${eventTable(events, "Latest events")}<p><a href="${eventsAddress}">All events</a></p>` : emptyState("No events yet. One is recorded when a lead, ticket, conversation, meeting or another record changes.")}
</div>`;
  return consolePage(session, { title: "Overview", content, section: overviewAddress });
}

function attention(webhooks: ListedWebhook[], now: Date): Html {
  if (webhooks.length === 0) {
    return html`${emptyState("No webhooks yet.")}<div class="buttons">${button("Set up a webhook", { href: webhooksAddress })}</div>`;
  }
  const states = webhooks.map(({ row, queue }) => ({ row, state: subscriptionState(row, queue, now) }));
  const wrong = states.filter(({ state }) => state.name !== "Active");
  if (wrong.length === 0) return notice(`All webhooks are active (${count(webhooks.length)}).`);
  return card({
    id: "attention",
    title: `${counted(wrong.length, "webhook needs", "webhooks need")} attention`,
    content: table(
      "Webhooks that need attention",
      ["URL", "State", "What happens next"],
      wrong.map(({ row, state }) => [
        html`<a class="breakable" href="${webhookAddress(row.id)}">${row.targetUrl}</a>`,
        stateCell(state),
        state.next,
      ]),
    ),
  });
}

function numbers({ webhooks, statistics }: Overview): Html {
  const hours = allHours(statistics);
  const delivered = hours.reduce((sum, hour) => sum + hour.delivered, 0);
  const attempts = hours.reduce((sum, hour) => sum + hour.delivered + hour.failed + hour.exhausted, 0);
  const pending = webhooks.reduce((sum, { queue }) => sum + queue.pending, 0);
  const isMany = webhooks.some(({ queue }) => queue.pending >= mostShown);
  const oldest = webhooks
    .flatMap(({ queue }) => queue.oldestPendingAt ?? [])
    .sort((a, b) => a.getTime() - b.getTime())[0];
  return figures([
    {
      label: "Successful attempts",
      value: percent(delivered, attempts),
      hint: `${count(attempts)} attempts in 24 hours`,
    },
    {
      label: "Response time, median",
      value: duration(statistics.p50),
      hint: `95 % are faster than ${duration(statistics.p95)}`,
    },
    {
      label: "Pending deliveries",
      value: `${isMany ? "more than " : ""}${count(pending)}`,
      hint: oldest ? html`the oldest since ${logTime(oldest)}` : "none is waiting",
    },
  ]);
}
