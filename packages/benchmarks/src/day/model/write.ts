import { writeChatbot } from "./chatbots.ts";
import { writeConversation } from "./conversations.ts";
import { writeFeedback } from "./feedback.ts";
import { writeLead } from "./leads.ts";
import { writeMeeting } from "./meetings.ts";
import { writeMessage } from "./messages.ts";
import { writeTicket } from "./tickets.ts";
import { writeToolRun } from "./tool-runs.ts";
import { writeUsage } from "./usage.ts";
import { type Attributes, type Item, type ItemType, Refused, type Result, type World } from "./world.ts";

const writes: {
  [Type in ItemType]: (world: World, id: string, attributes: Attributes<Type>) => Result;
} = {
  chatbot: writeChatbot,
  lead: writeLead,
  conversation: writeConversation,
  message: writeMessage,
  ticket: writeTicket,
  meeting: writeMeeting,
  message_feedback: writeFeedback,
  tool_run: writeToolRun,
  usage_record: writeUsage,
};

/** Does to the model what the contract says of the item, with the events that follow. The server has no part in this. */
export function write(world: World, { type, external_id, attributes }: Item): Result {
  try {
    const writeOne = writes[type] as (world: World, id: string, attributes: object) => Result;
    return writeOne(world, external_id, attributes);
  } catch (error) {
    if (error instanceof Refused) return "failed";
    throw error;
  }
}
