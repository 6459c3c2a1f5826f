import type { Schemas } from "@parley/contract";
import type { Conversation, Database, Message, Page, Prisma } from "@parley/database";
import { conversationResource, messageResource } from "@parley/resources";

/** Messages of a conversation that `include=messages` adds. */
const includedMessages = 20;
/** Size of their texts after which a page has no further ones, in bytes. */
const mostBytes = 4 * 1024 * 1024;

/** Converts a row to a conversation, with its latest messages if `include` is `messages`. */
export async function readConversation(
  db: Database,
  row: Conversation,
  include: "messages" | undefined,
): Promise<Schemas["Conversation"]> {
  const [conversation = conversationResource(row)] = await readConversations(db, [row], include);
  return conversation;
}

/** Converts rows to conversations, with their latest messages if `include` is `messages`. */
export async function readConversations(
  db: Database,
  rows: Conversation[],
  include: "messages" | undefined,
): Promise<Schemas["Conversation"][]> {
  if (include === undefined) return rows.map(conversationResource);
  const ids = await latestMessages(db, rows);
  const messages = await db.message.findMany({
    where: { id: { in: ids } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const byConversation = Map.groupBy(messages, ({ conversationId }) => conversationId);
  return rows.map((row) => ({
    ...conversationResource(row),
    messages: (byConversation.get(row.id) ?? []).map(messageResource),
  }));
}

/** Selects the IDs of the latest messages: first the last one of each conversation, then the one before it, up to `mostBytes`. */
async function latestMessages(db: Database, conversations: Conversation[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM (
      SELECT latest.id, sum(bytes) OVER (ORDER BY place, latest.id) - bytes AS before
      FROM unnest(${conversations.map(({ id }) => id)}::uuid[]) AS conversation (id),
        LATERAL (SELECT id, octet_length(text) AS bytes, row_number() OVER (ORDER BY created_at DESC, id DESC) AS place
                 FROM messages WHERE conversation_id = conversation.id
                 ORDER BY created_at DESC, id DESC LIMIT ${includedMessages}) AS latest
    ) AS measured WHERE before < ${mostBytes}`;
  return rows.map(({ id }) => id);
}

/** Returns one page of the messages of a conversation, oldest first, with the total. */
export async function listMessages(
  db: Database,
  { id, organizationId }: Conversation,
  { limit, offset, after }: Page,
): Promise<{ rows: Message[]; total: number; hasMore: boolean }> {
  const where: Prisma.MessageWhereInput = { conversationId: id, organizationId };
  const isAfter: Prisma.MessageWhereInput = after
    ? {
        createdAt: { gte: after.time },
        OR: [{ createdAt: { gt: after.time } }, { createdAt: after.time, id: { gt: after.id } }],
      }
    : {};
  const [rows, total] = await Promise.all([
    db.message.findMany({
      where: { ...where, ...isAfter },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      take: limit + 1,
      skip: after ? 0 : offset,
    }),
    db.message.count({ where }),
  ]);
  return { rows: rows.slice(0, limit), total, hasMore: rows.length > limit };
}
