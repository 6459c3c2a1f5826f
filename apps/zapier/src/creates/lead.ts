import type { ResponseOf } from "@parley/contract";
import { defineCreate } from "zapier-platform-core";
import { chatbotField } from "../chatbot-field.ts";
import { sampleRecord } from "../sample.ts";

export const createLead = defineCreate({
  key: "create_lead",
  noun: "Lead",
  display: { label: "Create Lead", description: "Creates a lead for one of your chatbots." },
  operation: {
    inputFields: [
      { ...chatbotField, required: true },
      { key: "name", label: "Name", type: "string" },
      { key: "email", label: "Email", type: "string" },
      { key: "phone", label: "Phone", type: "string" },
      { key: "company", label: "Company", type: "string" },
      {
        key: "score",
        label: "Score",
        type: "integer",
        helpText: "0 to 100. The lead is qualified if the score reaches the chatbot's threshold.",
      },
      { key: "source", label: "Source", type: "string", helpText: "For example, the address of the page." },
      {
        key: "qualification",
        label: "Qualification",
        dict: true,
        helpText: "The lead's answers, by question.",
      },
    ],
    perform: async (z, { inputData }) => {
      const { chatbot_id, score, source, qualification, ...contact } = inputData;
      const { data } = await z.request<ResponseOf<"createLead">>({
        method: "POST",
        url: "/api/v1/leads",
        body: { chatbot_id, contact, score, source, qualification },
      });
      return data.data;
    },
    sample: sampleRecord("lead.created"),
  },
});
