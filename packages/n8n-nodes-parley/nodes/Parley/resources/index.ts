import type { Schemas } from "@parley/contract";
import { chatbotField } from "../../shared/chatbots.ts";
import { conversation } from "./conversation.ts";
import { lead } from "./lead.ts";
import { choice, type Resource, sinceField } from "./resource.ts";
import { ticket } from "./ticket.ts";

const chatbotStatus = choice<Schemas["ChatbotStatus"]>("status", "Status", {
  active: true,
  inactive: true,
  training: true,
});

const meetingStatus = choice<Schemas["MeetingStatus"]>("status", "Status", {
  scheduled: true,
  cancelled: true,
  completed: true,
});

const chatbot: Resource = { name: "chatbot", plural: "chatbots", filters: [chatbotStatus, sinceField] };

const meeting: Resource = {
  name: "meeting",
  plural: "meetings",
  filters: [chatbotField, meetingStatus, sinceField],
};

export type { Resource };

/** Sorted by name, as n8n's lint rules require. */
export const resources: Resource[] = [chatbot, conversation, lead, meeting, ticket];
