import { type Html, html, optionRows } from "@parley/ui";
import { webhookAddress } from "../../addresses.ts";
import { counted } from "../../layout/numbers.ts";
import { urlLink } from "../../layout/short-url.ts";

/** Webhook that an app created. */
export interface CreatedWebhook {
  id: string;
  targetUrl: string;
}

/** Webhooks that a page lists by their URL. */
const mostListed = 10;

/**
 * Asks in a form what happens to the webhooks that an app created, which work without its access. Nothing without webhooks.
 *
 * @param id prefix of the IDs, unique on the page
 */
export function webhookChoice(webhooks: CreatedWebhook[], id: string): Html {
  if (webhooks.length === 0) return html``;
  const more = webhooks.length - mostListed;
  return html`
<p>It created ${counted(webhooks.length, "webhook")}, which ${webhooks.length === 1 ? "works" : "work"} without its access:</p>
<ul>${webhooks.slice(0, mostListed).map((webhook) => html`<li>${urlLink(webhookAddress(webhook.id), webhook.targetUrl)}</li>`)}
${more > 0 && html`<li>and ${more} more</li>`}</ul>
${optionRows({ legend: "What happens to its webhooks?", name: "webhooks", selected: "disable", id }, [
  {
    value: "disable",
    label: "Disable",
    hint: "Nothing is sent until someone resumes the webhook. Events are kept for seven days.",
  },
  { value: "keep", label: "Keep", hint: "Events are sent as before." },
])}`;
}
