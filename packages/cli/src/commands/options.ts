import type { WebhookEventType } from "@parley/sdk/webhooks";

/** Options of commands that call the API. */
export interface ServerOptions {
  readonly server?: string | undefined;
  readonly json?: true | undefined;
}

/** Flags that several commands have, with their descriptions. */
export const serverOption = [
  "--server <url>",
  "Parley server; default: PARLEY_URL, or the server of the last login",
] as const;
export const jsonOption = ["--json", "print JSON"] as const;
export const secretOption = [
  "--secret <secret>",
  "secret to sign with; default: PARLEY_WEBHOOK_SECRET, or the secret of this machine",
] as const;
export const eventTypesOption = [
  "--event-types <types>",
  "only these event types, separated by commas; repeatable; default: all",
] as const;

export const chatbotOption = ["--chatbot-id <id>", "only events of this chatbot"] as const;
export const sinceOption = [
  "--since <time>",
  "also events since this time, such as 10m (ago) or 2026-03-01T09:00:00Z",
] as const;

/** Options that select events of the feed. */
export interface FeedOptions extends ServerOptions {
  readonly eventTypes?: WebhookEventType[] | undefined;
  readonly chatbotId?: string | undefined;
  readonly since?: Date | undefined;
}

/** Returns the options in the form of the SDK. */
export function feedQuery({ eventTypes, chatbotId, since }: FeedOptions) {
  return { eventTypes, chatbotId, since: since?.toISOString() };
}
