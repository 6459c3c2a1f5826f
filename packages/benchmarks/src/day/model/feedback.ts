import { change, isEmpty } from "./change.ts";
import { type Attributes, type Kept, nameOf, Refused, type Result, type World } from "./world.ts";

export interface Feedback extends Kept {
  attributes: { rating: "positive" | "negative"; comment: string | null };
}

export function writeFeedback(world: World, id: string, given: Attributes<"message_feedback">): Result {
  const { message_external_id, rating, comment } = given;
  const message_id = world.reference("message", message_external_id);
  const name = nameOf("message_feedback", id);
  const there = world.find("message_feedback", id);
  if (!there) {
    const place = world.find("message", message_external_id)?.references;
    const feedback = {
      attributes: { rating, comment: comment ?? null },
      references: { ...place, message_id },
    };
    world.keep("message_feedback", id, feedback);
    world.publish(`message.feedback_${rating}`, name, feedback);
    return "created";
  }

  if (there.references["message_id"] !== message_id) throw new Refused("it is on another message");
  const previous = change(there.attributes, { rating, comment });
  if ("rating" in previous) world.publish(`message.feedback_${rating}`, name, there);
  return isEmpty(previous) ? "unchanged" : "updated";
}
