import type { Position } from "@parley/database";
import { filterForm, type Html, html, pager, table } from "@parley/ui";
import type { ListedEvent } from "@parley/webhooks";
import type { OperationRequest } from "../../../http/handlers.ts";
import type { Page } from "../../oauth/pages/page.ts";
import { eventAddress, eventsAddress, eventTypeAddress, withQuery } from "../addresses.ts";
import { consolePage } from "../layout/console-page.ts";
import { pageLinks } from "../layout/cursor.ts";
import { eventTypeField, recordField, timeFields, timeRange } from "../layout/filters.ts";
import { searchResult } from "../layout/search-result.ts";
import { logTime } from "../layout/time.ts";
import type { ConsoleSession } from "../page-requests.ts";

type Query = OperationRequest<"showEvents">["query"];

/** Renders the list of events with its filters. @param next where the next page begins; null on the last */
export function eventsPage(
  session: ConsoleSession,
  query: Query,
  { events, next }: { events: ListedEvent[]; next: Position | null },
): Page {
  const filters = filterForm({ label: "Filter events", clear: eventsAddress }, [
    eventTypeField(query.event_type),
    recordField(query.record),
    ...timeFields(timeRange(query)),
  ]);
  const content = html`
${filters}
${searchResult(events.length > 0 ? eventTable(events) : undefined, { noun: "event", next, empty: "An event is recorded when a lead, ticket, conversation, meeting or another record changes." })}
${pager(pageLinks(eventsAddress, query, next))}`;
  return consolePage(session, { title: "Events", content, section: eventsAddress });
}

/** Renders events as a table. */
export function eventTable(
  events: ListedEvent[],
  { caption = "Events, newest first", hidesCaption = false } = {},
): Html {
  return table(
    caption,
    ["Time", "Event type", "Record", "Event"],
    events.map(({ id, type, createdAt, recordId }) => [
      logTime(createdAt),
      html`<a class="nowrap" href="${eventTypeAddress(type)}"><code>${type}</code></a>`,
      recordId === null
        ? "–"
        : html`<a class="nowrap" href="${withQuery(eventsAddress, { record: recordId })}"><code>${recordId}</code></a>`,
      html`<a class="nowrap" href="${eventAddress(id)}"><code>${id}</code></a>`,
    ]),
    { hidesCaption },
  );
}
