import type { ResponseOf } from "@parley/contract";
import { defineSearch } from "zapier-platform-core";
import { sampleRecord } from "../sample.ts";

export const findLead = defineSearch({
  key: "find_lead",
  noun: "Lead",
  display: {
    label: "Find Lead",
    description: "Finds the latest lead with an email address, phone number or ID.",
  },
  operation: {
    inputFields: [
      { key: "email", label: "Email", type: "string" },
      { key: "phone", label: "Phone", type: "string", helpText: "Only the digits are compared." },
      { key: "id", label: "Lead ID", type: "string", helpText: "For example, the ID in an event." },
    ],
    perform: async (z, { inputData }) => {
      const { id, email, phone } = inputData;
      if (id) {
        const url = `/api/v1/leads/${encodeURIComponent(id)}`;
        const { status, data } = await z.request<ResponseOf<"getLead">>({ url, skipThrowForStatus: true });
        return status === 404 ? [] : [data.data];
      }
      if (!email && !phone)
        throw new z.errors.Error("Enter an email, a phone number or a lead ID.", "invalid_request", 400);
      const params = { limit: 1, ...(email && { email }), ...(phone && { phone }) };
      const { data } = await z.request<ResponseOf<"listLeads">>({ url: "/api/v1/leads", params });
      return data.data;
    },
    sample: sampleRecord("lead.created"),
  },
});
