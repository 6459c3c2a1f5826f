import type { Schemas } from "@parley/contract";
import { chatbotField } from "../../shared/chatbots.ts";
import { choice, emailField, field, filtersOf, nest, type Resource } from "./resource.ts";

const visitor = [{ ...emailField, displayName: "Visitor Email" }, field("name", "Visitor Name")] as const;

const status = choice<Schemas["ConversationStatus"]>("status", "Status", { open: true, ended: true });

const includeField = field("include", "Include", {
  type: "options",
  options: [{ name: "Latest Messages", value: "messages" }],
  default: "messages",
  description: "Adds the latest 20 messages of each conversation",
});

export const conversation: Resource = {
  name: "conversation",
  plural: "conversations",
  filters: filtersOf("name or email address of the visitor", chatbotField, status, emailField, includeField),
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
