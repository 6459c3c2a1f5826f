import { type Database, timeNow } from "@parley/database";
import { meetingResource } from "@parley/resources";
import type { Change, Publisher } from "@parley/webhooks";

const batch = 200;

/**
 * Publishes `meeting.reminder` for every scheduled meeting that starts within `leadMinutes`, once per start time, so a
 * rescheduled meeting gets another reminder. If no worker ran at the time of a reminder, it is published later, until
 * the meeting starts.
 *
 * @returns number of reminders published
 * @throws AggregateError with the errors of meetings whose reminder failed, after all others are published
 */
export async function sendReminders(
  db: Database,
  publisher: Publisher,
  leadMinutes: number,
): Promise<number> {
  let sent = 0;
  const failed = new Map<string, unknown>();
  for (;;) {
    const due = await db.$queryRaw<{ id: string; organizationId: string }[]>`
      SELECT id, organization_id AS "organizationId" FROM meetings
      WHERE status = 'scheduled' AND starts_at > now() AND starts_at <= now() + ${leadMinutes} * interval '1 minute'
        AND reminded_for IS DISTINCT FROM starts_at AND id <> ALL (${[...failed.keys()]}::uuid[])
      ORDER BY starts_at LIMIT ${batch}`;
    for (const { id, organizationId } of due) {
      try {
        if (await publisher.change(organizationId, (change) => remind(change, id, leadMinutes))) sent += 1;
      } catch (error) {
        failed.set(id, error);
      }
    }
    if (due.length === batch) continue;
    if (failed.size > 0) throw new AggregateError(failed.values(), `${failed.size} reminders failed`);
    return sent;
  }
}

/**
 * Publishes a reminder if it is still pending. The meeting may have changed, or another worker may have published the
 * reminder.
 */
async function remind(
  { tx, organizationId, publish }: Change,
  id: string,
  leadMinutes: number,
): Promise<boolean> {
  const marked = await tx.$executeRaw`
    UPDATE meetings SET reminded_for = starts_at
    WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid
      AND status = 'scheduled' AND starts_at > now() AND starts_at <= now() + ${leadMinutes} * interval '1 minute'
      AND reminded_for IS DISTINCT FROM starts_at`;
  if (marked === 0) return false;
  const meeting = await tx.meeting.findUniqueOrThrow({ where: { id, organizationId } });
  const at = await timeNow(tx);
  publish({ type: "meeting.reminder", chatbotId: meeting.chatbotId, data: meetingResource(meeting), at });
  return true;
}
