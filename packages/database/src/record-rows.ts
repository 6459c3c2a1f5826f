import {
  type Chatbot,
  type Conversation,
  type Lead,
  type Meeting,
  Prisma,
  type Ticket,
} from "./generated/client.ts";

/** Row types of the tables with records of the API. */
export interface RecordRows {
  chatbots: Chatbot;
  leads: Lead;
  conversations: Conversation;
  tickets: Ticket;
  meetings: Meeting;
}

/**
 * Select list of each table for `$queryRaw`. Columns have Prisma's names, so that rows have the same format as rows of
 * Prisma's models.
 */
export const recordColumns: Record<keyof RecordRows, Prisma.Sql> = {
  chatbots: selectList(Prisma.ChatbotScalarFieldEnum),
  leads: selectList(Prisma.LeadScalarFieldEnum),
  conversations: selectList(Prisma.ConversationScalarFieldEnum),
  tickets: selectList(Prisma.TicketScalarFieldEnum),
  meetings: selectList(Prisma.MeetingScalarFieldEnum),
};

/** Returns a select list, for example `contact_name AS "contactName", …`. */
function selectList(fields: Record<string, string>): Prisma.Sql {
  const names = Object.values(fields).map((field) => `${toColumn(field)} AS "${field}"`);
  return Prisma.raw(names.join(", "));
}

function toColumn(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
