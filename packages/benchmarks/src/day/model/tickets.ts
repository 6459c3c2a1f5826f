import { change, isEmpty, nobody, type Person } from "./change.ts";
import { type Attributes, type Kept, nameOf, type Result, type World } from "./world.ts";

export interface Ticket extends Kept {
  attributes: {
    subject: string;
    description: string;
    status: string;
    priority: string;
    requester: Person;
  };
  /** Whether it has a time at which it was resolved. */
  dated: boolean;
}

/** A ticket that is opened again can be resolved again. */
export function writeTicket(world: World, id: string, given: Attributes<"ticket">): Result {
  const { chatbot_external_id, lead_external_id, conversation_external_id, requester, ...state } = given;
  const references = {
    chatbot_id: world.reference("chatbot", chatbot_external_id),
    lead_id: world.reference("lead", lead_external_id),
    conversation_id: world.reference("conversation", conversation_external_id),
  };
  const name = nameOf("ticket", id);
  const there = world.find("ticket", id);
  if (!there) {
    const ticket: Ticket = {
      attributes: {
        description: "",
        status: "open",
        priority: "normal",
        ...state,
        requester: { ...nobody, ...requester },
      },
      references: { chatbot_id: null, lead_id: null, conversation_id: null },
      dated: state.status === "resolved",
    };
    change(ticket.references, references);
    world.keep("ticket", id, ticket);
    world.publish("ticket.created", name, ticket);
    if (ticket.dated) world.publish("ticket.resolved", name, ticket);
    return "created";
  }

  const person = { ...there.attributes.requester, ...requester };
  const previous = {
    ...change(there.attributes, { ...state, requester: person }),
    ...change(there.references, references),
  };
  if (isEmpty(previous)) return "unchanged";
  const resolved = "status" in previous && there.attributes.status === "resolved";
  const reopened = "status" in previous && /open|pending/.test(there.attributes.status);
  if (resolved || (reopened && there.dated)) previous["resolved_at"] = null;
  if (resolved) there.dated = true;
  if (reopened) there.dated = false;
  world.publish("ticket.updated", name, there, previous);
  if (resolved) world.publish("ticket.resolved", name, there);
  return "updated";
}
