import type { Position } from "@parley/database";
import { field, filterForm, html, pager } from "@parley/ui";
import type { OperationRequest } from "../../../http/handlers.ts";
import type { Page } from "../../oauth/pages/page.ts";
import { deliveriesAddress } from "../addresses.ts";
import { consolePage } from "../layout/console-page.ts";
import { pageLinks } from "../layout/cursor.ts";
import { eventTypeField, recordField, timeFields, timeRange } from "../layout/filters.ts";
import { searchResult } from "../layout/search-result.ts";
import { shortUrl } from "../layout/short-url.ts";
import type { ConsoleSession } from "../page-requests.ts";
import type { Recipients } from "./recipients.ts";
import { type Delivery, deliveryTable } from "./table.ts";

type Query = OperationRequest<"showDeliveries">["query"];

interface Deliveries {
  deliveries: Delivery[];
  /** Where the next page begins; null on the last. */
  next: Position | null;
  /** The organization's subscriptions. */
  recipients: Recipients;
}

/** Renders the list of deliveries of all subscriptions, with its filters. */
export function deliveriesPage(
  session: ConsoleSession,
  query: Query,
  { deliveries, next, recipients }: Deliveries,
  now: Date,
): Page {
  const statuses = {
    "": "All",
    pending: "Pending",
    retrying: "Retrying",
    delivered: "Delivered",
    exhausted: "Exhausted",
  };
  const filters = filterForm({ label: "Filter deliveries", clear: deliveriesAddress }, [
    field({ label: "Status", name: "status", value: query.status ?? "", options: statuses }),
    field({
      label: "Webhook",
      name: "subscription_id",
      value: query.subscription_id ?? "",
      options: {
        "": "All",
        ...Object.fromEntries([...recipients].map(([id, { targetUrl }]) => [id, shortUrl(targetUrl)])),
      },
    }),
    eventTypeField(query.event_type),
    recordField(query.record),
    ...timeFields(timeRange(query)),
  ]);
  const caption = "Deliveries, newest first";
  const content = html`
${filters}
${searchResult(deliveries.length > 0 ? deliveryTable(deliveries, now, { caption, recipients }) : undefined, { noun: "delivery", next, empty: "Deliveries are kept as long as the log, 30 days unless the operator chose otherwise." })}
${pager(pageLinks(deliveriesAddress, query, next))}`;
  return consolePage(session, { title: "Deliveries", content, section: deliveriesAddress });
}
