import type { Item } from "../model/model.ts";
import { item } from "./step.ts";
import type { Subject } from "./subject.ts";
import { person } from "./words.ts";

/** A ticket is opened, worked on and mostly resolved; some are opened again, and some belong to no chatbot. */
export function ticketThread({ random, id, chatbot }: Subject, lead: string | null): Item[] {
  const ticket = `ticket-${id}`;
  const subject = "Invoice shows the wrong address";
  const items = [
    item("ticket", ticket, {
      subject,
      requester: person(random),
      conversation_external_id: `chat-${id}`,
      ...(random.chance(0.9) && { chatbot_external_id: chatbot }),
      ...(lead !== null && { lead_external_id: lead }),
      ...(random.chance(0.1) && { status: random.pick(["pending", "resolved", "closed"]) }),
    }),
  ];
  if (random.chance(0.5))
    items.push(item("ticket", ticket, { subject, priority: random.pick(["high", "urgent"]) }));
  if (random.chance(0.3)) items.push(item("ticket", ticket, { subject, description: "Moved in January." }));
  if (random.chance(0.7)) items.push(item("ticket", ticket, { subject, status: "resolved" }));
  if (random.chance(0.15)) {
    items.push(item("ticket", ticket, { subject: `${subject}, again`, status: "open" }));
    items.push(item("ticket", ticket, { subject: `${subject}, again`, status: "resolved" }));
  }
  if (random.chance(0.2)) items.push(item("ticket", ticket, { subject, status: "closed" }));
  return items;
}
