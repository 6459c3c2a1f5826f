import type { Schemas } from "@parley/contract";
import { type Meeting, timeOfChange } from "@parley/database";
import { meetingResource } from "@parley/resources";
import type { Change, NewEvent } from "@parley/webhooks";
import { invalidField } from "../../http/api-error.ts";
import { lockRecord } from "../../records/rows.ts";
import { differences, given, previousAttributes, type Written } from "../../records/written.ts";

/** IDs of the records that a meeting belongs to, all of the same organization. */
interface MeetingReferences {
  chatbotId?: string | null | undefined;
  leadId?: string | null | undefined;
}
/** Fields of a meeting, without its references. */
type MeetingState = Omit<Schemas["PlatformMeeting"], "chatbot_external_id" | "lead_external_id">;

/**
 * Creates a meeting. Publishes `meeting.scheduled`, `meeting.cancelled` or `meeting.completed`, according to its status.
 *
 * @throws ApiError 400 if the time zone is unknown, or the meeting ends before it starts
 */
export async function createMeeting(
  { tx, organizationId, now, publish }: Change,
  externalId: string,
  state: MeetingState,
  references: MeetingReferences,
): Promise<Meeting> {
  const columns = { ...columnsOf(state), ...given(references), createdAt: now, updatedAt: now };
  const meeting = await tx.meeting.create({ data: { organizationId, externalId, ...columns } });
  publish(statusEvent(meeting));
  return meeting;
}

/**
 * Updates the given fields under a row lock. Publishes an event if the status changes. `meeting.scheduled` is also published if a
 * scheduled meeting is moved; it has the old values.
 *
 * @throws ApiError 400 if the time zone is unknown, or the meeting ends before it starts
 */
export async function updateMeeting(
  change: Change,
  id: string,
  state: MeetingState,
  references: MeetingReferences,
): Promise<Written<Meeting>> {
  const { tx, organizationId, publish } = change;
  const before = await lockRecord(change, "meetings", id);
  const columns = differences({ ...columnsOf(state), ...references }, before);
  if (Object.keys(columns).length === 0) return { row: before, result: "unchanged" };
  const updatedAt = await timeOfChange(tx, change.now, before.updatedAt);
  const after = await tx.meeting.update({
    where: { id, organizationId },
    data: { ...columns, updatedAt },
  });

  const previous = previousAttributes(meetingResource(before).attributes, meetingResource(after).attributes);
  const moved = "starts_at" in previous || "ends_at" in previous;
  if (after.status === "scheduled" && ("status" in previous || moved)) {
    publish({ ...statusEvent(after), type: "meeting.scheduled", previous_attributes: previous });
  } else if ("status" in previous) publish(statusEvent(after));
  return { row: after, result: "updated" };
}

function statusEvent(meeting: Meeting): NewEvent & { data: Schemas["Meeting"] } {
  const status = meeting.status as Schemas["MeetingStatus"];
  return { type: `meeting.${status}`, chatbotId: meeting.chatbotId, data: meetingResource(meeting) };
}

function columnsOf({ title, status, starts_at, ends_at, timezone, location, attendees }: MeetingState) {
  const [startsAt, endsAt] = [new Date(starts_at), new Date(ends_at)];
  if (endsAt < startsAt) throw invalidField("body/ends_at", "must not be before starts_at");
  if (!isTimeZone(timezone))
    throw invalidField("body/timezone", "must be an IANA time zone, for example Europe/Vienna");
  const people = attendees?.map(({ name = null, email = null }) => ({ name, email }));
  return {
    title,
    startsAt,
    endsAt,
    timezone,
    ...given({ status, location }),
    ...(people && { attendees: people }),
  };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}
