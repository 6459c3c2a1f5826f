import type { ResponseOf } from "@parley/contract";
import { defineCreate } from "zapier-platform-core";
import { chatbotField } from "../chatbot-field.ts";
import { sampleRecord } from "../sample.ts";

export const createTicket = defineCreate({
  key: "create_ticket",
  noun: "Ticket",
  display: { label: "Create Ticket", description: "Opens a support ticket." },
  operation: {
    inputFields: [
      { key: "subject", label: "Subject", type: "string", required: true },
      { key: "description", label: "Description", type: "text" },
      { key: "priority", label: "Priority", type: "string", choices: ["low", "normal", "high", "urgent"] },
      chatbotField,
      { key: "lead_id", label: "Lead ID", type: "string" },
      { key: "name", label: "Requester's Name", type: "string" },
      { key: "email", label: "Requester's Email", type: "string" },
    ],
    perform: async (z, { inputData }) => {
      const { name, email, ...ticket } = inputData;
      const { data } = await z.request<ResponseOf<"createTicket">>({
        method: "POST",
        url: "/api/v1/tickets",
        body: { ...ticket, requester: { name, email } },
      });
      return data.data;
    },
    sample: sampleRecord("ticket.created"),
  },
});
