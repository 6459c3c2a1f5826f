import { find, type Parameter, type SiteContract } from "../contract.ts";
import { addressOf, codeBlock, type Page, plainText, slug, summaryOf, table } from "../page.ts";
import { fieldTable } from "../schema-table.ts";

/** Returns a page for each event type, after a page for its group. */
export function eventPages(contract: SiteContract): Page[] {
  const groups = contract["x-tagGroups"].find(({ name }) => name === "Webhook events")?.tags ?? [];
  return groups.flatMap((group) => {
    const events = Object.entries(contract.webhooks).filter(([, { post }]) => post.tags[0] === group);
    return [groupPage(contract, group, events), ...events.map(([type]) => eventPage(contract, group, type))];
  });
}

type Event = [type: string, item: SiteContract["webhooks"][string]];

function groupPage({ tags }: SiteContract, group: string, events: Event[]): Page {
  const description = tags.find(({ name }) => name === group)?.description ?? "";
  const rows = events.map(([type, { post }]) => [
    `[\`${type}\`](${addressOf(`events/${type}`)})`,
    plainText(post.description),
  ]);
  return {
    path: `events/${slug(group)}`,
    title: group,
    description: summaryOf(description),
    section: "Events",
    group,
    label: "Overview",
    markdown: `${description}\n\n${table(["Event type", "When it happens"], rows)}`,
  };
}

function eventPage(contract: SiteContract, group: string, type: string): Page {
  const event = contract.webhooks[type]?.post;
  if (!event) throw new Error(`No event ${type}`);
  const { schema = {}, example } = event.requestBody?.content["application/json"] ?? {};
  const headers = (event.parameters ?? []).map((parameter) => find<Parameter>(contract, parameter));
  const parts = [
    event.description,
    `To receive this event, [subscribe](${addressOf("api/create-webhook-subscription")}) to \`${type}\`, or [read the event feed](${addressOf("api/list-events")}).`,
    `## Example\n\n${codeBlock("json", JSON.stringify(example, null, 2))}`,
    `## Fields\n\n${fieldTable(contract, schema)}`,
    `## Headers\n\n${table(
      ["Header", "Description"],
      headers.map(({ name, description }) => [`\`${name}\``, description]),
    )}`,
    `## Response\n\nRespond with a 2xx status within 10 seconds. [Receive webhooks](${addressOf("guides/receiving-webhooks")}) shows how to verify and handle deliveries, and [Handle failures and gaps](${addressOf("guides/failures")}) how Parley retries them.`,
    `To try your receiver: \`parley trigger ${type} --forward-to http://localhost:3000\` ([Develop locally](${addressOf("guides/develop-locally")})).`,
  ];
  return {
    path: `events/${type}`,
    title: type,
    description: plainText(event.description),
    section: "Events",
    group,
    label: type,
    tryIt: { operationId: "testWebhookSubscription", eventType: type },
    markdown: parts.join("\n\n"),
  };
}
