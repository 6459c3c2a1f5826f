import { change, isEmpty } from "./change.ts";
import type { Attributes, Kept, Result, World } from "./world.ts";

export interface Chatbot extends Kept {
  attributes: {
    name: string;
    model: string;
    description: string;
    status: string;
    qualification_threshold: number;
  };
}

/** Chatbots have no events. */
export function writeChatbot(world: World, id: string, given: Attributes<"chatbot">): Result {
  const there = world.find("chatbot", id);
  if (there) return isEmpty(change(there.attributes, given)) ? "unchanged" : "updated";
  const attributes = { description: "", status: "active", qualification_threshold: 70, ...given };
  world.keep("chatbot", id, { attributes, references: {} });
  return "created";
}
