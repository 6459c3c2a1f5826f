import { description, type EventType } from "@parley/contract";

/** When an event happens. */
export interface EventMeaning {
  /** In a few words, for example `New lead captured.` */
  title: string;
  /** In sentences; Markdown. */
  text: string;
}

/** Returns when events of a type happen, from the description in the contract, which begins with a bold sentence. */
export function meaningOf(type: EventType): EventMeaning {
  const whole = description.webhooks[type].post.description;
  const [, title = type, text = ""] = /^\*\*([^*]+)\*\*\s*([\s\S]*)$/.exec(whole) ?? [];
  return { title, text: text.replaceAll(/\s+/g, " ").trim() };
}
