import { events } from "@parley/contract/events";
import { defineApp, type Trigger, version } from "zapier-platform-core";
import manifest from "../package.json" with { type: "json" };
import { authentication } from "./authentication.ts";
import { createLead } from "./creates/lead.ts";
import { createTicket } from "./creates/ticket.ts";
import { callApi, throwForError } from "./http.ts";
import { findLead } from "./searches/lead.ts";
import { chatbotList } from "./triggers/chatbot-list.ts";
import { eventTrigger } from "./triggers/event.ts";

const triggers: Trigger[] = [chatbotList, ...events.map(eventTrigger)];

export default defineApp({
  version: manifest.version,
  platformVersion: version,
  authentication,
  beforeRequest: [callApi],
  afterResponse: [throwForError],
  triggers: Object.fromEntries(triggers.map((trigger) => [trigger.key, trigger])),
  creates: { create_lead: createLead, create_ticket: createTicket },
  searches: { find_lead: findLead },
  searchOrCreates: {
    find_lead: {
      key: "find_lead",
      display: {
        label: "Find or Create Lead",
        description: "Finds the latest lead with an email address, phone number or ID, or creates one.",
      },
      search: "find_lead",
      create: "create_lead",
    },
  },
});
