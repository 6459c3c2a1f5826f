import type { Schemas } from "@parley/contract";
import { chatbotField } from "../../shared/chatbots.ts";
import { conversation } from "./conversation.ts";
import { lead } from "./lead.ts";
import { choice, emailField, filtersOf, type Resource } from "./resource.ts";
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

const chatbot: Resource = {
  name: "chatbot",
  plural: "chatbots",
  filters: filtersOf("name of the chatbot", chatbotStatus),
};

const meeting: Resource = {
  name: "meeting",
  plural: "meetings",
  filters: filtersOf(
    "title, or the name or email address of an attendee",
    chatbotField,
    meetingStatus,
    emailField,
  ),
};

export type { Resource };

/** Sorted by name, as n8n's lint rules require. */
export const resources: Resource[] = [chatbot, conversation, lead, meeting, ticket];
