import { setMood } from "./conversations.ts";
import { type Attributes, type Kept, nameOf, Refused, type Result, type World } from "./world.ts";

export interface Message extends Kept {
  attributes: { role: string; text: string; sentiment: string | null };
}

/** The mood is that of the visitor's latest message that was judged. */
export function writeMessage(world: World, id: string, given: Attributes<"message">): Result {
  const { conversation_external_id, role, text, sentiment } = given;
  const conversation_id = world.reference("conversation", conversation_external_id);
  const conversation = world.find("conversation", conversation_external_id);
  if (!conversation) throw new Refused("there is no such conversation");
  const there = world.find("message", id);
  if (there) {
    const { attributes } = there;
    const same = there.references["conversation_id"] === conversation_id && attributes.role === role;
    if (!same || attributes.text !== text) throw new Refused("what was said stays as it was said");
    if (sentiment === undefined || sentiment === attributes.sentiment) return "unchanged";
    attributes.sentiment = sentiment;
    if (role === "visitor") setMood(world, conversation_id, conversation, moodOf(world, conversation.said));
    return "updated";
  }

  if (conversation.attributes.status === "ended") throw new Refused("it has ended");
  const chatbot_id = conversation.references["chatbot_id"] ?? null;
  const message = {
    attributes: { role, text, sentiment: sentiment ?? null },
    references: { chatbot_id, conversation_id },
  };
  world.keep("message", id, message);
  conversation.attributes.message_count += 1;
  if (role === "visitor") {
    conversation.said.push(id);
    world.publish("conversation.message_received", nameOf("message", id), message);
    setMood(world, conversation_id, conversation, moodOf(world, conversation.said));
  }
  return "created";
}

function moodOf(world: World, said: string[]): string | null {
  const moods = said.map((id) => world.find("message", id)?.attributes.sentiment ?? null);
  return moods.findLast((mood) => mood !== null) ?? null;
}
