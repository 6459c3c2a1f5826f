export { chatbotResource } from "./chatbot.ts";
export { conversationResource, messageResource } from "./conversation.ts";
export { leadResource } from "./lead.ts";
export { meetingResource } from "./meeting.ts";
export { feedbackResource } from "./message-feedback.ts";
export { ticketResource } from "./ticket.ts";
export { toolRunResource } from "./tool-run.ts";
export { usageRecordResource } from "./usage-record.ts";
