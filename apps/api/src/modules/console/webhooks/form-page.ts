import {
  button,
  checkbox,
  choices,
  disclosure,
  field,
  type Html,
  html,
  notice,
  optionRows,
  warning,
} from "@parley/ui";
import { csrfField } from "../../oauth/pages/csrf-field.ts";
import type { Page } from "../../oauth/pages/page.ts";
import { webhookAddress, webhooksAddress } from "../addresses.ts";
import type { FlashMessage, Typed } from "../flash-messages.ts";
import { consolePage } from "../layout/console-page.ts";
import { problem, problemOf } from "../layout/messages.ts";
import { shortUrl } from "../layout/short-url.ts";
import type { ConsoleSession } from "../page-requests.ts";
import { eventTypeFields } from "./event-type-fields.ts";
import { planWarning } from "./plan-warning.ts";

interface Chatbot {
  id: string;
  name: string;
}

interface FormPage {
  /** Values of the fields before the user typed any. */
  values: Typed;
  chatbots: Chatbot[];
  /** The subscription; undefined for a new one. */
  subscription?: { id: string; targetUrl: string; headerNames: string[] };
}

/** Renders the form of a subscription. */
export function webhookFormPage(
  session: ConsoleSession,
  { values, chatbots, subscription }: FormPage,
  message: FlashMessage,
): Page {
  const typed = message.typed ?? values;
  const rejected = (name: string) => problemOf(name, message);
  const fields = html`
${field({
  label: "URL",
  name: "target_url",
  hint: "Your endpoint, which receives each event as a POST request. It must use https.",
  problem: rejected("target_url"),
  value: typed["target_url"] ?? "",
  attributes: {
    type: "url",
    maxlength: 2048,
    required: true,
    placeholder: "https://example.com/webhooks",
    autocomplete: "off",
  },
})}
${message.check && urlCheck(message.check)}
${optionRows({ legend: "Events", name: "types", selected: typed["types"] ?? "selected" }, [
  { value: "all", label: "All event types", hint: "Also types that are added later." },
  { value: "selected", label: "Only the selected event types" },
])}
${eventTypeFields((typed["event_types"] ?? "").split(" "), rejected("event_types"))}
${disclosure(
  "Filters and options",
  html`${filters(typed, chatbots, rejected)}${options(typed, subscription?.headerNames ?? [], rejected)}`,
  {
    open: hasOptions(typed, message),
  },
)}`;
  const cancel = subscription ? webhookAddress(subscription.id) : webhooksAddress;
  const content = html`
${planWarning(session)}
${problem("form", message)}
<form class="stack" method="post">
${csrfField(session.csrfToken)}
${fields}
<div class="buttons">
${button(subscription ? "Save" : "Create webhook", { action: "save" })}
${button("Check URL", { kind: "secondary", action: "check" })}
${button("Cancel", { kind: "secondary", href: cancel })}
</div>
<p class="hint">“Check URL” sends a HEAD request without any data and says whether your endpoint can be reached.</p>
</form>`;
  const parents: [string, string][] = [[webhooksAddress, "Webhooks"]];
  if (subscription) parents.push([webhookAddress(subscription.id), shortUrl(subscription.targetUrl)]);
  return consolePage(session, {
    title: subscription ? "Edit webhook" : "New webhook",
    content,
    section: webhooksAddress,
    parents,
  });
}

function urlCheck({ reachable, text }: NonNullable<FlashMessage["check"]>): Html {
  return reachable ? notice(text) : warning(text);
}

type Rejected = (name: string) => string | undefined;

function filters(typed: Typed, chatbots: Chatbot[], rejected: Rejected): Html {
  return html`
${field({
  label: "Chatbot",
  name: "chatbot_id",
  problem: rejected("chatbot_id"),
  value: typed["chatbot_id"] ?? "",
  options: { "": "All chatbots", ...Object.fromEntries(chatbots.map(({ id, name }) => [id, name])) },
})}
${field({
  label: "Conditions",
  name: "conditions",
  hint: html`Only events that meet all conditions are delivered, as JSON:
<code>[{"field": "data.attributes.score", "op": "greater", "value": 80}]</code>
<a href="/docs/guides/control-deliveries">All operators</a>`,
  problem: rejected("conditions"),
  value: typed["conditions"] ?? "",
  rows: 3,
  attributes: { spellcheck: "false" },
})}`;
}

function options(typed: Typed, headerNames: string[], rejected: Rejected): Html {
  const keeps = headerNames.length > 0;
  return html`
${
  keeps &&
  checkbox({
    name: "replace_headers",
    label: "Replace the headers",
    hint: html`Now sent: <code>${headerNames.join(", ")}</code>. Their values are not shown. Without this, they are kept.`,
    checked: typed["replace_headers"] === "true",
  })
}
${field({
  label: keeps ? "New headers" : "Headers",
  name: "headers",
  hint: html`Sent with each delivery, for example for an API gateway. One on each line: <code>X-Api-Key: value</code>`,
  problem: rejected("headers"),
  value: typed["headers"] ?? "",
  rows: 2,
  attributes: { spellcheck: "false", autocomplete: "off" },
})}
${field({
  label: "Deliveries per second, at most",
  name: "rate_limit",
  hint: "Empty: no limit.",
  problem: rejected("rate_limit"),
  value: typed["rate_limit"] ?? "",
  attributes: { inputmode: "numeric", maxlength: 4 },
})}
${choices({ legend: "More", id: "more", problem: rejected("ordering") }, [
  checkbox({
    name: "ordering",
    value: "record",
    label: "Send the events of each record in order",
    hint: "The next event of a lead, ticket or conversation waits for the previous one. This is slower.",
    checked: typed["ordering"] === "record",
  }),
  checkbox({
    name: "public_key_signature",
    label: "Also sign with your organization’s private key",
    hint: "Receivers can then verify with the public key, without a shared secret.",
    checked: typed["public_key_signature"] === "true",
  }),
])}`;
}

/** Checks whether the options have values or problems, so that they must be visible. */
function hasOptions(typed: Typed, { problems = [] }: FlashMessage): boolean {
  const names = [
    "chatbot_id",
    "conditions",
    "headers",
    "rate_limit",
    "ordering",
    "public_key_signature",
    "replace_headers",
  ];
  return names.some((name) => (typed[name] ?? "") !== "" || problems.some((one) => one.field === name));
}
