import type { ResponseOf } from "@parley/contract";
import { defineSearch } from "zapier-platform-core";
import { sampleRecord } from "../sample.ts";

export const findLead = defineSearch({
  key: "find_lead",
  noun: "Lead",
  display: { label: "Find Lead", description: "Finds a lead by its ID, for example the ID in an event." },
  operation: {
    inputFields: [{ key: "id", label: "Lead ID", type: "string", required: true }],
    perform: async (z, { inputData }) => {
      const url = `/api/v1/leads/${encodeURIComponent(inputData.id)}`;
      const { status, data } = await z.request<ResponseOf<"getLead">>({ url, skipThrowForStatus: true });
      return status === 404 ? [] : [data.data];
    },
    sample: sampleRecord("lead.created"),
  },
});
