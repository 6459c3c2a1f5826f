import { description, type Schemas } from "@parley/contract";
import type { Subscription } from "@parley/database";
import { ApiError } from "../../../http/api-error.ts";
import type { OperationRequest } from "../../../http/handlers.ts";
import { createItemCheck } from "../../../http/validation.ts";
import { conditionsOf } from "../../webhooks/conditions.ts";
import type { Problem, Typed } from "../flash-messages.ts";

/** Fields of the form as a browser sends them. */
export type WebhookForm = OperationRequest<"submitNewWebhook">["body"];

/** Returns the values of the fields for a flash message. */
export function typedValues(form: WebhookForm): Typed {
  const { csrf_token: _, action: __, event_types: eventTypes = [], ...rest } = form;
  return { ...rest, event_types: eventTypes.join(" ") };
}

/** Returns the values of the fields for a stored subscription. */
export function storedValues(row: Subscription): Typed {
  const isAll = row.eventTypes.includes("*");
  const conditions = conditionsOf(row);
  return {
    target_url: row.targetUrl,
    types: isAll ? "all" : "selected",
    event_types: isAll ? "" : row.eventTypes.join(" "),
    chatbot_id: row.chatbotId ?? "",
    conditions: conditions ? JSON.stringify(conditions, null, 2) : "",
    rate_limit: row.rateLimit === null ? "" : String(row.rateLimit),
    ...(row.ordering !== null && { ordering: row.ordering }),
    ...(row.publicKeySignature && { public_key_signature: "true" }),
  };
}

const checkBody = createItemCheck("#/components/schemas/SubscriptionCreate");
const { minimum: lowestRate, maximum: highestRate } =
  description.components.schemas.SubscriptionCreate.properties.rate_limit;

/**
 * Returns the body of the API's request with the values of the form, or the problems of the values.
 *
 * @param options.hasHeaders whether the subscription has headers, which are kept unless the form replaces them
 */
export function requestBody(
  form: WebhookForm,
  { hasHeaders }: { hasHeaders: boolean },
): { body: Schemas["SubscriptionCreate"] } | { problems: Problem[] } {
  const problems: Problem[] = [];
  const read = <Value>(name: string, parse: () => Value): Value | undefined => {
    try {
      return parse();
    } catch (error) {
      problems.push({ field: name, message: (error as Error).message });
      return undefined;
    }
  };
  const { chatbot_id: chatbotId = "", ordering, public_key_signature: publicKey } = form;
  const isKept = hasHeaders && form.replace_headers !== "true";
  const eventTypes = read("event_types", () => selectedTypes(form));
  const conditions = read("conditions", () => readConditions(form.conditions ?? ""));
  const headers = read("headers", () => readHeaders(form.headers ?? "", { isKept }));
  const limit = read("rate_limit", () => readRateLimit(form.rate_limit ?? ""));
  const body = {
    target_url: (form.target_url ?? "").trim(),
    event_types: eventTypes ?? ["*"],
    filters: { ...(chatbotId !== "" && { chatbot_id: chatbotId }), ...(conditions && { conditions }) },
    ...(!isKept && { headers: headers ?? {} }),
    rate_limit: limit ?? null,
    ordering: ordering ?? null,
    public_key_signature: publicKey === "true",
  };
  const problem = problemIn(() => checkBody(body, "body"));
  if (problem && !problems.some(({ field }) => field === problem.field)) problems.push(problem);
  return problems.length > 0 ? { problems } : { body };
}

/** Returns the problem of the API error that `check` throws. */
function problemIn(check: () => void): Problem | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return problemOfError(error);
    throw error;
  }
}

function selectedTypes({
  types,
  event_types: selected = [],
}: WebhookForm): Schemas["SubscriptionCreate"]["event_types"] {
  if (types === "all") return ["*"];
  if (selected.length === 0) throw new Error("Select at least one event type, or all.");
  return selected;
}

function readConditions(text: string): Schemas["FilterCondition"][] | undefined {
  if (text.trim() === "") return undefined;
  try {
    const conditions: unknown = JSON.parse(text);
    if (Array.isArray(conditions)) return conditions;
  } catch {}
  throw new Error(
    'Must be a JSON array, for example [{"field": "data.attributes.score", "op": "greater", "value": 80}].',
  );
}

/** @param options.isKept whether the subscription keeps the headers that it has, so that there must be no others */
function readHeaders(text: string, { isKept }: { isKept: boolean }): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === "") continue;
    const [name = "", ...rest] = line.split(":");
    const [trimmed, value] = [name.trim(), rest.join(":").trim()];
    const place = `Line ${index + 1}`;
    if (trimmed === "" || value === "") throw new Error(`${place} must be a name, a colon and a value.`);
    // Else the last one would replace the others.
    if (headers.has(trimmed)) throw new Error(`${place} repeats the header ${trimmed}.`);
    headers.set(trimmed, value);
  }
  if (isKept && headers.size > 0) {
    throw new Error("Select “Replace the headers” to send these, or remove them.");
  }
  return Object.fromEntries(headers);
}

function readRateLimit(text: string): number | null {
  const digits = text.trim();
  if (digits === "") return null;
  const limit = /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
  if (limit >= lowestRate && limit <= highestRate) return limit;
  throw new Error(`Must be a whole number from ${lowestRate} to ${highestRate}, or empty.`);
}

/** Returns the problem of an API error, at the field that its description begins with; at the form if there is none. */
export function problemOfError({ message }: ApiError): Problem {
  const [, name = "", rest = "", text = ""] = /^body\/([a-z_]+)(?:\/(\S+))? ([\s\S]*)$/.exec(message) ?? [];
  if (name === "") return { field: "form", message };
  if (name === "filters") {
    const [part = "", ...of] = rest.split("/");
    return { field: part === "chatbot_id" ? part : "conditions", message: sentence(of, text) };
  }
  return { field: name, message: sentence(rest === "" ? [] : [rest], text) };
}

function sentence(path: string[], problem: string): string {
  const text = problem.replace("instead of *", "instead of selecting all");
  const [first = "", ...rest] = path;
  const place = /^\d+$/.test(first) ? [`Condition ${Number(first) + 1}:`, ...rest].join(" ") : path.join("/");
  const whole = `${place} ${text}`.trim();
  return `${whole.charAt(0).toUpperCase()}${whole.slice(1)}${/[.!?]$/.test(whole) ? "" : "."}`;
}
