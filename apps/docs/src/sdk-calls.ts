/**
 * The SDK's call of an operation, by operationId. `…` stands for the path parameters, then the body or query. A name in braces
 * stands for this parameter or member of the body. Samples of other operations use the raw client.
 */
export const sdkCalls: Record<string, string> = {
  getMe: "parley.me()",
  listChatbots: "parley.chatbots.list(…)",
  getChatbot: "parley.chatbots.get(…)",
  listLeads: "parley.leads.list(…)",
  getLead: "parley.leads.get(…)",
  createLead: "parley.leads.create(…)",
  updateLead: "parley.leads.update(…)",
  deleteLead: "parley.leads.delete(…)",
  listConversations: "parley.conversations.list(…)",
  getConversation: "parley.conversations.get(…)",
  startConversation: "parley.conversations.start(…)",
  endConversation: "parley.conversations.end(…)",
  listMessages: "parley.conversations.messages(…)",
  addMessage: "parley.conversations.addMessage(…)",
  deleteConversation: "parley.conversations.delete(…)",
  listTickets: "parley.tickets.list(…)",
  getTicket: "parley.tickets.get(…)",
  createTicket: "parley.tickets.create(…)",
  updateTicket: "parley.tickets.update(…)",
  deleteTicket: "parley.tickets.delete(…)",
  listMeetings: "parley.meetings.list(…)",
  getMeeting: "parley.meetings.get(…)",
  listEvents: "parley.events.list(…)",
  getEvent: "parley.events.get(…)",
  createWebhookSubscription: "parley.webhooks.subscribe(…)",
  listWebhookSubscriptions: "parley.webhooks.list(…)",
  getWebhookSubscription: "parley.webhooks.get(…)",
  updateWebhookSubscription: "parley.webhooks.update(…)",
  deleteWebhookSubscription: "parley.webhooks.delete(…)",
  resumeWebhookSubscription: "parley.webhooks.resume(…)",
  testWebhookSubscription: "parley.webhooks.test(…)",
  rotateWebhookSecret: "parley.webhooks.rotateSecret(…)",
  rotateWebhookSigningKey: "parley.webhooks.rotateSigningKey(…)",
  getWebhookSourceAddresses: "parley.webhooks.sourceAddresses()",
  listWebhookDeliveries: "parley.webhooks.deliveries(…)",
  getWebhookDelivery: "parley.webhooks.delivery(…)",
  redeliverWebhookDelivery: "parley.webhooks.redeliver(…)",
  getWebhookRedelivery: "parley.webhooks.redelivery(…)",
  redeliverWebhookDeliveries: "parley.webhooks.redeliverRange(…)",
  listEventSamples: "parley.webhooks.samples({type})",
  upsertChatbot: upsert("chatbots"),
  upsertLead: upsert("leads"),
  upsertConversation: upsert("conversations"),
  upsertMessage: upsert("messages"),
  upsertTicket: upsert("tickets"),
  upsertMeeting: upsert("meetings"),
  upsertMessageFeedback: upsert("message-feedback"),
  upsertToolRun: upsert("tool-runs"),
  upsertUsageRecord: upsert("usage-records"),
  deletePlatformLead: remove("leads"),
  deletePlatformConversation: remove("conversations"),
  deletePlatformTicket: remove("tickets"),
  deletePlatformMeeting: remove("meetings"),
  writeBatch: "platform.organization({organization_id}).batch({items})",
  createErasure: "platform.organization({organization_id}).erase({body})",
  getErasure: "platform.organization({organization_id}).erasure({erasure_id})",
  createConsoleLink: "platform.organization({organization_id}).createConsoleLink({body})",
};

function upsert(kind: string): string {
  return `platform.organization({organization_id}).upsert("${kind}", {external_id}, {body})`;
}

function remove(kind: string): string {
  return `platform.organization({organization_id}).delete("${kind}", {external_id})`;
}

/** The SDK's function for an OAuth request, by operationId and, if there are several, `grant_type`. */
export const oauthFunctions: Record<string, string> = {
  "exchangeToken authorization_code": "exchangeCode",
  "exchangeToken refresh_token": "refresh",
  revokeToken: "revoke",
};

/** The SDK's clients, by security scheme. Operations without authentication use the client of `oauth2`. */
export const sdkClients = {
  oauth2: { name: "parley", class: "Parley", option: "accessToken", variable: "ACCESS_TOKEN" },
  platformKey: { name: "platform", class: "ParleyPlatform", option: "platformKey", variable: "PLATFORM_KEY" },
};
