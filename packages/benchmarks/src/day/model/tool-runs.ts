import { change, isEmpty } from "./change.ts";
import { type Attributes, type Kept, nameOf, Refused, type Result, type World } from "./world.ts";

export interface ToolRun extends Kept {
  attributes: { tool: string; status: string; error: string | null; duration_ms: number };
}

/** It happened, so it stays as it was told first. */
export function writeToolRun(world: World, id: string, given: Attributes<"tool_run">): Result {
  const { chatbot_external_id, conversation_external_id, ...state } = given;
  const references = {
    chatbot_id: world.reference("chatbot", chatbot_external_id),
    conversation_id: world.reference("conversation", conversation_external_id),
  };
  const there = world.find("tool_run", id);
  if (there) {
    const differs =
      !isEmpty(change({ ...there.attributes }, state)) ||
      !isEmpty(change({ ...there.references }, references));
    if (differs) throw new Refused("it was told otherwise before");
    return "unchanged";
  }
  const run = {
    attributes: { error: null, ...state },
    references: { ...references, conversation_id: references.conversation_id ?? null },
  };
  world.keep("tool_run", id, run);
  world.publish(`agent.tool_${state.status}`, nameOf("tool_run", id), run);
  return "created";
}
