import { type Database, isUuid, type Meeting } from "@parley/database";
import { notFound } from "../../http/api-error.ts";

/** @throws ApiError 404 when the organization has no such meeting */
export async function findMeeting(
  db: Pick<Database, "meeting">,
  organizationId: string,
  id: string,
): Promise<Meeting> {
  const meeting = isUuid(id) ? await db.meeting.findFirst({ where: { id, organizationId } }) : null;
  if (!meeting) throw notFound("meeting");
  return meeting;
}
