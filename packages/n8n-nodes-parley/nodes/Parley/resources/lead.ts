import type { Schemas } from "@parley/contract";
import { jsonParse } from "n8n-workflow";
import { chatbotField } from "../../shared/chatbots.ts";
import { choice, emailField, field, filtersOf, nest, type Resource } from "./resource.ts";

const contact = [
  field("company", "Company"),
  emailField,
  field("name", "Name"),
  field("phone", "Phone"),
] as const;

const details = [
  field("qualification", "Qualification", {
    type: "json",
    default: "{}",
    description: "The lead's answers, by question",
  }),
  field("score", "Score", {
    type: "number",
    typeOptions: { minValue: 0, maxValue: 100 },
    default: 0,
    description: "The lead is qualified if the score reaches the chatbot's threshold",
  }),
  field("source", "Source", { description: "For example, the address of the page" }),
] as const;

const status = choice<Schemas["LeadStatus"]>("status", "Status", {
  new: true,
  qualified: true,
  converted: true,
  disqualified: true,
});

export const lead: Resource = {
  name: "lead",
  plural: "leads",
  filters: filtersOf("name or email address", chatbotField, status, emailField, field("phone", "Phone")),
  create: { required: [{ ...chatbotField, required: true }], optional: [...contact, ...details] },
  update: [...contact, ...details, status],
  toBody({ qualification, ...fields }) {
    const body = nest(
      fields,
      "contact",
      contact.map(({ name }) => name),
    );
    if (typeof qualification !== "string") return body;
    const errorMessage = "Qualification is not valid JSON";
    return { ...body, qualification: jsonParse(qualification, { errorMessage }) };
  },
};
