import type { Parley } from "@parley/sdk";
import type { WebhookEventType } from "@parley/sdk/webhooks";

/** Record that a change created. */
interface ChangedRecord {
  readonly id: string;
  readonly type: string;
}

type Change = (parley: Parley, chatbotId: string) => Promise<ChangedRecord>;

const person = { name: "Test of the Parley CLI", email: "cli-test@example.com" };

const createLead = async (parley: Parley, chatbot_id: string) =>
  (await parley.leads.create({ chatbot_id, contact: person, score: 0 })).data;
const createTicket = async (parley: Parley, chatbot_id: string) =>
  (await parley.tickets.create({ chatbot_id, subject: person.name, requester: person })).data;
const startConversation = async (parley: Parley, chatbot_id: string) =>
  (await parley.conversations.start({ chatbot_id, visitor: person })).data;

const updateLead =
  (change: Parameters<Parley["leads"]["update"]>[1]): Change =>
  async (parley, chatbotId) =>
    (await parley.leads.update((await createLead(parley, chatbotId)).id, change)).data;
const updateTicket =
  (change: Parameters<Parley["tickets"]["update"]>[1]): Change =>
  async (parley, chatbotId) =>
    (await parley.tickets.update((await createTicket(parley, chatbotId)).id, change)).data;

/** Changes that publish an event of a type. Each creates a record, so that no existing record changes. */
const changes: { readonly [Type in WebhookEventType]?: Change } = {
  "lead.created": createLead,
  "lead.updated": updateLead({ contact: { company: "Example Ltd" } }),
  "lead.qualified": updateLead({ status: "qualified" }),
  "lead.converted": updateLead({ status: "converted" }),
  "lead.score_changed": updateLead({ score: 10 }),
  "ticket.created": createTicket,
  "ticket.updated": updateTicket({ priority: "high" }),
  "ticket.resolved": updateTicket({ status: "resolved" }),
  "conversation.started": startConversation,
  async "conversation.message_received"(parley, chatbotId) {
    const conversation = await startConversation(parley, chatbotId);
    return (await parley.conversations.addMessage(conversation.id, { role: "visitor", text: "Hello" })).data;
  },
  async "conversation.ended"(parley, chatbotId) {
    return (await parley.conversations.end((await startConversation(parley, chatbotId)).id)).data;
  },
};

/** Event types that a change with an access token can publish. */
export const liveEventTypes: readonly string[] = Object.keys(changes);

/** Returns the change that publishes an event of a type; undefined if only the Platform API can make one. */
export function liveChangeOf(type: WebhookEventType): Change | undefined {
  return changes[type];
}
