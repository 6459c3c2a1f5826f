import { change, isEmpty, nobody, type Person } from "./change.ts";
import { type Attributes, type Kept, nameOf, Refused, type Result, type World } from "./world.ts";

export interface Conversation extends Kept {
  attributes: {
    status: "open" | "ended";
    channel: string;
    visitor: Person;
    sentiment: string | null;
    message_count: number;
  };
  /** Ids of the visitor's messages, in the order in which they came. */
  said: string[];
}

export function writeConversation(world: World, id: string, given: Attributes<"conversation">): Result {
  const { chatbot_external_id, lead_external_id, channel, visitor, status } = given;
  const chatbot_id = world.reference("chatbot", chatbot_external_id);
  const lead_id = world.reference("lead", lead_external_id);
  const name = nameOf("conversation", id);
  const there = world.find("conversation", id);
  if (!there) {
    const conversation: Conversation = {
      attributes: {
        status: "open",
        channel: channel ?? "web",
        visitor: { ...nobody, ...visitor },
        sentiment: null,
        message_count: 0,
      },
      references: { chatbot_id, lead_id: lead_id ?? null },
      said: [],
    };
    world.keep("conversation", id, conversation);
    world.publish("conversation.started", name, conversation);
    if (status === "ended") end(world, name, conversation);
    return "created";
  }

  if (there.references["chatbot_id"] !== chatbot_id)
    throw new Refused("a conversation stays with its chatbot");
  if (status === "open" && there.attributes.status === "ended") throw new Refused("it has ended");
  const changes = change(there.attributes, { channel, visitor: { ...there.attributes.visitor, ...visitor } });
  const linked = change(there.references, { lead_id });
  const ends = status === "ended" && there.attributes.status === "open";
  if (ends) end(world, name, there);
  return ends || !isEmpty(changes) || !isEmpty(linked) ? "updated" : "unchanged";
}

function end(world: World, name: string, conversation: Conversation): void {
  conversation.attributes.status = "ended";
  world.publish("conversation.ended", name, conversation);
}

/** The visitor's mood; an event says when it turns negative or positive. */
export function setMood(world: World, name: string, conversation: Conversation, mood: string | null): void {
  const turned = mood !== conversation.attributes.sentiment;
  conversation.attributes.sentiment = mood;
  if (turned && (mood === "negative" || mood === "positive")) {
    world.publish(`conversation.sentiment_${mood}`, name, conversation);
  }
}
