/** An event type as integrations show it. */
export interface ListedEvent {
  type: string;
  /** Label for dropdown controls, for example `New Lead Captured`. */
  label: string;
  /** When the event happens, for people. */
  description: string;
  /** A made-up event. */
  sample: SampleEvent;
}

export interface SampleEvent {
  [member: string]: unknown;
  chatbot_id: string | null;
  data: { [member: string]: unknown; type: string };
}

/** One entry under `webhooks` of the description. */
export interface WebhookObject {
  post: { description: string; requestBody: { content: { "application/json": { example: SampleEvent } } } };
}

const smallWords = new Set(["a", "as", "of", "on", "or", "to"]);

/**
 * Lists every event type in the order of the reference.
 *
 * @throws Error that names an event whose description does not begin with its meaning in bold
 */
export function listEvents(webhooks: Record<string, WebhookObject>): ListedEvent[] {
  return Object.entries(webhooks).map(([type, { post }]) => {
    const [, meaning, text] = /^\*\*(.+?)\.\*\*\s+(.+)$/s.exec(post.description.trim()) ?? [];
    if (!meaning || !text) throw new Error(`${type}: the description does not begin with **its meaning.**`);
    const description = text.replaceAll("`", "").replaceAll("\n", " ");
    return {
      type,
      label: titleCase(meaning),
      description,
      sample: post.requestBody.content["application/json"].example,
    };
  });
}

function titleCase(words: string): string {
  return words.replace(/\S+/g, (word) =>
    smallWords.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1),
  );
}
