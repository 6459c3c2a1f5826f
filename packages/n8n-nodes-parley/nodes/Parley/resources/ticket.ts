import type { Schemas } from "@parley/contract";
import { chatbotField } from "../../shared/chatbots.ts";
import { choice, emailField, field, filtersOf, nest, type Resource } from "./resource.ts";

const requester = [
  { ...emailField, displayName: "Requester Email" },
  field("name", "Requester Name"),
] as const;

const subject = field("subject", "Subject");
const description = field("description", "Description", { typeOptions: { rows: 4 } });

const priority = choice<Schemas["TicketPriority"]>("priority", "Priority", {
  low: true,
  normal: true,
  high: true,
  urgent: true,
});

const status = choice<Schemas["TicketStatus"]>("status", "Status", {
  open: true,
  pending: true,
  resolved: true,
  closed: true,
});

export const ticket: Resource = {
  name: "ticket",
  plural: "tickets",
  filters: filtersOf(
    "subject, or the name or email address of the requester",
    chatbotField,
    status,
    emailField,
  ),
  create: {
    required: [{ ...subject, required: true }],
    optional: [
      chatbotField,
      field("conversation_id", "Conversation ID"),
      description,
      field("lead_id", "Lead ID"),
      priority,
      ...requester,
    ],
  },
  update: [description, priority, ...requester, status, subject],
  toBody: (fields) =>
    nest(
      fields,
      "requester",
      requester.map(({ name }) => name),
    ),
};
