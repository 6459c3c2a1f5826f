/** Event type with the texts that integrations show. */
export interface ListedEvent {
  /** Event type, for example `lead.created`. */
  type: string;
  /** Label for dropdown controls, for example `New Lead Captured`. */
  label: string;
  /** Description of when the event happens. */
  description: string;
  /** Sample event. */
  sample: SampleEvent;
}

/** Sample event in the format of webhook deliveries. */
export interface SampleEvent {
  [member: string]: unknown;
  chatbot_id: string | null;
  data: { [member: string]: unknown; type: string };
}

/** Entry of `webhooks` in the OpenAPI description. */
export interface WebhookObject {
  post: { description: string; requestBody: { content: { "application/json": { example: SampleEvent } } } };
}

const smallWords = new Set(["a", "as", "of", "on", "or", "to"]);

/**
 * Lists all event types in the order of the reference.
 *
 * @throws Error if the description of an event does not start with its meaning in bold
 */
export function listEvents(webhooks: Record<string, WebhookObject>): ListedEvent[] {
  return Object.entries(webhooks).map(([type, { post }]) => {
    const [, meaning, text] = /^\*\*(.+?)\.\*\*\s+(.+)$/s.exec(post.description.trim()) ?? [];
    if (!meaning || !text)
      throw new Error(
        `${type}: the description must start with a bold label that ends with a period, for example **Lead created.**, and then have text`,
      );
    const description = text.replaceAll("`", "").replaceAll("\n", " ");
    return {
      type,
      label: titleCase(meaning),
      description,
      sample: post.requestBody.content["application/json"].example,
    };
  });
}

function titleCase(text: string): string {
  return text.replace(/\S+/g, (word) =>
    smallWords.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1),
  );
}
