import { createPublisher, type Publisher } from "@parley/webhooks";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sendReminders } from "../src/modules/meetings/reminders.ts";
import { takeEvents } from "./events-kit.ts";
import { asPlatform, createTenant, startApi, type Tenant, type TestApi } from "./kit.ts";

let api: TestApi;
let publisher: Publisher;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  publisher = createPublisher(api.db, { warn() {} });
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await createTenant(api.db);
});

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

async function write(startsAt: Date, changes: object = {}, externalId = "demo"): Promise<void> {
  const times = { starts_at: startsAt.toISOString(), ends_at: startsAt.toISOString() };
  const meeting = { title: "Demo", timezone: "Europe/Vienna", ...times, ...changes };
  const answer = await asPlatform(api, tenant.organizationId)("PUT", `/meetings/${externalId}`, meeting);
  expect(answer.status).toBe(200);
}
/** Runs the job with a lead of an hour and gives the starts that it reminded of. */
async function remind(): Promise<string[]> {
  await takeEvents(api, tenant);
  await sendReminders(api.db, publisher, 60);
  return (await takeEvents(api, tenant)).flatMap((event) =>
    event.type === "meeting.reminder" ? [event.data.attributes.starts_at] : [],
  );
}

test("a meeting is reminded of once, when its start comes near", async () => {
  const start = inMinutes(59);
  await write(start);
  await write(inMinutes(61), {}, "later");
  expect(await remind()).toEqual([start.toISOString()]);
  expect(await remind()).toEqual([]);
});

test("the reminder changes nothing about the meeting", async () => {
  await write(inMinutes(30));
  const read = () => api.db.meeting.findFirstOrThrow({ where: { organizationId: tenant.organizationId } });
  const before = await read();
  await remind();
  expect((await read()).updatedAt).toEqual(before.updatedAt);
});

test("a meeting that moves is reminded of at its new time, and at that alone", async () => {
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

test("a meeting that was cancelled, completed or has begun is not reminded of", async () => {
  await write(inMinutes(30), {}, "off");
  await write(inMinutes(30), { status: "cancelled" }, "off");
  await write(inMinutes(30), { status: "completed" }, "done");
  await write(inMinutes(-1), {}, "begun");
  expect(await remind()).toEqual([]);
  const reinstated = inMinutes(40);
  await write(reinstated, { status: "scheduled" }, "off");
  expect(await remind()).toEqual([reinstated.toISOString()]);
});

test("several workers at once send each reminder once", async () => {
  const count = 40;
  for (let index = 0; index < count; index += 1) await write(inMinutes(30), {}, `demo ${index}`);
  await takeEvents(api, tenant);
  const sent = await Promise.all(Array.from({ length: 4 }, () => sendReminders(api.db, publisher, 60)));
  expect(sent.reduce((sum, one) => sum + one)).toBe(count);
  const ids = (await takeEvents(api, tenant)).map(({ data }) => data.id);
  expect(new Set(ids).size).toBe(count);
  expect(ids).toHaveLength(count);
});

test("reminders stay with their organization and chatbot", async () => {
  const other = await createTenant(api.db);
  const platform = asPlatform(api, tenant.organizationId);
  await platform("PUT", "/chatbots/bot", { name: "Bot", model: "parley-small" });
  await write(inMinutes(30), { chatbot_external_id: "bot" });
  await takeEvents(api, tenant);
  await sendReminders(api.db, publisher, 60);
  const [event] = await takeEvents(api, tenant);
  const { id } = await api.db.chatbot.findFirstOrThrow({
    where: { organizationId: tenant.organizationId, externalId: "bot" },
  });
  expect(event).toMatchObject({ type: "meeting.reminder", chatbot_id: id });
  expect(await takeEvents(api, other)).toEqual([]);
});
