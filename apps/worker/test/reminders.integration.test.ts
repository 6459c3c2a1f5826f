import { randomBytes } from "node:crypto";
import { createDatabase } from "@parley/database";
import { createTestDatabase } from "@parley/database/testing";
import { expect, test } from "vitest";
import { workerConfig } from "../src/config.ts";
import { buildWorker } from "../src/worker.ts";

test("publishes reminders that were missed while no worker ran, and repeats none after a restart", async () => {
  const database = await createTestDatabase();
  const db = createDatabase(database.url, { poolSize: 1 });
  const config = workerConfig.parse({
    DATABASE_URL: database.url,
    PARLEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    LOG_LEVEL: "silent",
    MEETING_REMINDER_MINUTES: "15",
  });
  const { id: organizationId } = await db.organization.create({ data: { name: "Reminded", plan: "pro" } });
  const meeting = (minutes: number) => ({
    organizationId,
    title: `In ${minutes} minutes`,
    startsAt: new Date(Date.now() + minutes * 60_000),
    endsAt: new Date(Date.now() + minutes * 60_000),
    timezone: "Europe/Vienna",
  });
  await db.meeting.createMany({ data: [meeting(10), meeting(20)] });

  for (let start = 0; start < 2; start += 1) {
    const worker = await buildWorker(config);
    await worker.stop();
    const events = await db.event.findMany({ where: { organizationId } });
    expect(events.map(({ type }) => type)).toEqual(["meeting.reminder"]);
    expect(JSON.parse(events[0]?.body ?? "")).toMatchObject({
      data: { attributes: { title: "In 10 minutes" } },
    });
  }
  await db.$disconnect();
  await database.release();
});
