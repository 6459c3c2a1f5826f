import {
  type Chatbot,
  type Conversation,
  type Lead,
  type Meeting,
  Prisma,
  type Ticket,
} from "./generated/client.ts";

/** The rows of each table whose records the API lists and returns. */
export interface RecordRows {
  chatbots: Chatbot;
  leads: Lead;
  conversations: Conversation;
  tickets: Ticket;
  meetings: Meeting;
}

/** The select list of each table, for `$queryRaw`: rows have the names that Prisma gives, so one mapper serves both. */
export const recordColumns: Record<keyof RecordRows, Prisma.Sql> = {
  chatbots: selectList(Prisma.ChatbotScalarFieldEnum),
  leads: selectList(Prisma.LeadScalarFieldEnum),
  conversations: selectList(Prisma.ConversationScalarFieldEnum),
  tickets: selectList(Prisma.TicketScalarFieldEnum),
  meetings: selectList(Prisma.MeetingScalarFieldEnum),
};

/** For example `contact_name AS "contactName", …`. */
function selectList(fields: Record<string, string>): Prisma.Sql {
  const names = Object.values(fields).map((field) => `${toColumn(field)} AS "${field}"`);
  return Prisma.raw(names.join(", "));
}

function toColumn(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
