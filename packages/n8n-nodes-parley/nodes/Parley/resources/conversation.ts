import type { Schemas } from "@parley/contract";
import { chatbotField } from "../../shared/chatbots.ts";
import { choice, emailField, field, nest, type Resource, sinceField } from "./resource.ts";

const visitor = [{ ...emailField, displayName: "Visitor Email" }, field("name", "Visitor Name")] as const;

const status = choice<Schemas["ConversationStatus"]>("status", "Status", { open: true, ended: true });

export const conversation: Resource = {
  name: "conversation",
  plural: "conversations",
  filters: [chatbotField, status, sinceField],
  create: {
    required: [{ ...chatbotField, required: true }],
    optional: [field("channel", "Channel", { default: "web" }), field("lead_id", "Lead ID"), ...visitor],
  },
  toBody: (fields) =>
    nest(
      fields,
      "visitor",
      visitor.map(({ name }) => name),
    ),
};
