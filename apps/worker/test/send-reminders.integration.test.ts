import type { EventOf } from "@parley/contract";
import { checkEvent } from "@parley/contract/testing";
import { createPublisher, type Publisher } from "@parley/webhooks";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sendReminders } from "../src/jobs/send-reminders.ts";
import { startWorkerFixture, type WorkerFixture } from "../src/testing/worker-fixture.ts";

let fixture: WorkerFixture;
let publisher: Publisher;
let organizationId: string;
beforeAll(async () => {
  fixture = await startWorkerFixture();
  publisher = createPublisher(fixture.db, { warn() {} });
});
afterAll(() => fixture.close());
beforeEach(async () => {
  organizationId = await createOrganization();
});

async function createOrganization(): Promise<string> {
  const { id } = await fixture.db.organization.create({ data: { name: "Reminded", plan: "pro" } });
  return id;
}

/** Returns the reminders of an organization that were recorded since the last call. */
async function takeReminders(of = organizationId): Promise<EventOf<"meeting.reminder">[]> {
  const where = { organizationId: of };
  const rows = await fixture.db.event.findMany({ where, orderBy: { id: "asc" } });
  await fixture.db.event.deleteMany({ where });
  return rows.map(({ type, body }) => {
    const event = JSON.parse(body) as EventOf<"meeting.reminder">;
    expect([type, checkEvent("meeting.reminder", event)]).toEqual(["meeting.reminder", []]);
    return event;
  });
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

/** Creates or changes the meeting with an external id. */
async function write(startsAt: Date, changes: object = {}, externalId = "demo"): Promise<void> {
  const meeting = { title: "Demo", timezone: "Europe/Vienna", startsAt, endsAt: startsAt, ...changes };
  await fixture.db.meeting.upsert({
    where: { organizationId_externalId: { organizationId, externalId } },
    create: { ...meeting, organizationId, externalId },
    update: meeting,
  });
}

/** Runs the job with a lead of an hour. @returns the starts that it reminded of */
async function remind(): Promise<string[]> {
  await sendReminders(fixture.db, publisher, 60);
  return (await takeReminders()).map(({ data }) => data.attributes.starts_at);
}

test("publishes one reminder before the start of a meeting", async () => {
  const start = inMinutes(59);
  await write(start);
  await write(inMinutes(61), {}, "later");
  expect(await remind()).toEqual([start.toISOString()]);
  expect(await remind()).toEqual([]);
});

test("does not change the meeting", async () => {
  await write(inMinutes(30));
  const read = () => fixture.db.meeting.findFirstOrThrow({ where: { organizationId } });
  const before = await read();
  await remind();
  expect((await read()).updatedAt).toEqual(before.updatedAt);
});

test("publishes the reminder of a moved meeting only for its new time", async () => {
  await write(inMinutes(30));
  await write(inMinutes(120));
  expect(await remind()).toEqual([]);
  const moved = inMinutes(45);
  await write(moved);
  expect(await remind()).toEqual([moved.toISOString()]);
  const again = inMinutes(50);
  await write(again);
  expect(await remind()).toEqual([again.toISOString()]);
  await write(again, { title: "Another title" });
  expect(await remind()).toEqual([]);
});

test("publishes no reminder for meetings that were cancelled, completed or have begun", async () => {
  await write(inMinutes(30), {}, "off");
  await write(inMinutes(30), { status: "cancelled" }, "off");
  await write(inMinutes(30), { status: "completed" }, "done");
  await write(inMinutes(-1), {}, "begun");
  expect(await remind()).toEqual([]);
  const reinstated = inMinutes(40);
  await write(reinstated, { status: "scheduled" }, "off");
  expect(await remind()).toEqual([reinstated.toISOString()]);
});

test("publishes each reminder once with several workers", async () => {
  const count = 40;
  for (let index = 0; index < count; index += 1) await write(inMinutes(30), {}, `demo ${index}`);
  const sent = await Promise.all(Array.from({ length: 4 }, () => sendReminders(fixture.db, publisher, 60)));
  expect(sent.reduce((sum, one) => sum + one)).toBe(count);
  const ids = (await takeReminders()).map(({ data }) => data.id);
  expect(new Set(ids).size).toBe(count);
  expect(ids).toHaveLength(count);
});

test("publishes reminders for their organization and chatbot", async () => {
  const other = await createOrganization();
  const chatbot = await fixture.db.chatbot.create({
    data: { organizationId, externalId: "bot", name: "Bot", model: "parley-small" },
  });
  await write(inMinutes(30), { chatbotId: chatbot.id });
  await sendReminders(fixture.db, publisher, 60);
  const [event] = await takeReminders();
  expect(event).toMatchObject({ type: "meeting.reminder", chatbot_id: chatbot.id });
  expect(await takeReminders(other)).toEqual([]);
});

test("publishes the reminders of others if one fails", async () => {
  const failing = organizationId;
  await write(inMinutes(30));
  organizationId = await createOrganization();
  await write(inMinutes(31));
  const broken: Publisher = {
    change: (id, ...rest) =>
      id === failing ? Promise.reject(new Error("broken")) : publisher.change(id, ...rest),
  };
  await expect(sendReminders(fixture.db, broken, 60)).rejects.toThrow("1 reminders failed");
  expect(await takeReminders()).toHaveLength(1);
  expect(await takeReminders(failing)).toEqual([]);
  await sendReminders(fixture.db, publisher, 60);
  expect(await takeReminders(failing)).toHaveLength(1);
});
