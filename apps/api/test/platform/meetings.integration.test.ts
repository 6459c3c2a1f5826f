import type { Schemas } from "@parley/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { useApi } from "../../src/testing/api-server.ts";
import { createPlatform, type Platform, samples } from "../../src/testing/platform.ts";

const api = useApi();
let platform: Platform;
beforeEach(async () => {
  platform = await createPlatform(api);
});

const write = (changes: Partial<Schemas["PlatformMeeting"]> = {}) =>
  platform.put("meeting", "demo", { ...samples.meeting, ...changes });
const later = { starts_at: "2026-03-06T09:00:00Z", ends_at: "2026-03-06T09:30:00Z" };

describe("a new meeting", () => {
  test("has defaults, is published, and integrations can read it", async () => {
    const { data, result } = await write();
    expect(result).toBe("created");
    expect(data.attributes).toMatchObject({
      title: "Demo",
      status: "scheduled",
      starts_at: "2026-03-05T14:00:00.000Z",
      ends_at: "2026-03-05T14:30:00.000Z",
      timezone: "Europe/Vienna",
      location: null,
      attendees: [],
      chatbot_id: null,
      lead_id: null,
    });
    expect(await platform.seen(`/api/v1/meetings/${data.id}`)).toEqual(data);
    const [event, ...others] = await platform.events();
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: "meeting.scheduled", chatbot_id: null, data });
    expect(event).not.toHaveProperty("previous_attributes");
  });

  test.each(["cancelled", "completed"] as const)(
    "created as %s publishes only that event",
    async (status) => {
      await write({ status });
      expect(await platform.types()).toEqual([`meeting.${status}`]);
    },
  );

  test("has attendees and references", async () => {
    const lead = await platform.put("lead", "ada", samples.lead);
    await platform.events();
    const { data } = await write({
      location: "https://meet.example.com/ada",
      attendees: [{ name: "Ada", email: "ada@example.com" }, { name: "Ben" }, {}],
      chatbot_external_id: "bot",
      lead_external_id: "ada",
    });
    const { chatbot_id } = lead.data.attributes;
    expect(data.attributes).toMatchObject({
      location: "https://meet.example.com/ada",
      attendees: [
        { name: "Ada", email: "ada@example.com" },
        { name: "Ben", email: null },
        { name: null, email: null },
      ],
      chatbot_id,
      lead_id: lead.data.id,
    });
    expect(await platform.events()).toMatchObject([{ type: "meeting.scheduled", chatbot_id, data }]);
  });
});

describe("an existing meeting", () => {
  test.each([
    [
      "starts and ends",
      later,
      { starts_at: "2026-03-05T14:00:00.000Z", ends_at: "2026-03-05T14:30:00.000Z" },
    ],
    ["starts", { starts_at: "2026-03-05T13:45:00Z" }, { starts_at: "2026-03-05T14:00:00.000Z" }],
    ["ends", { ends_at: "2026-03-05T15:00:00Z" }, { ends_at: "2026-03-05T14:30:00.000Z" }],
  ])(
    "that %s at another time publishes meeting.scheduled with the old times",
    async (_name, times, previous) => {
      await write();
      await platform.events();
      const { data, result } = await write(times);
      expect(result).toBe("updated");
      const [event, ...others] = await platform.events();
      expect(others).toEqual([]);
      expect(event).toMatchObject({ type: "meeting.scheduled", data });
      expect(event?.previous_attributes).toEqual(previous);
    },
  );

  test("is unchanged if the state is the same, also with other offsets of its times", async () => {
    const state = { location: "Room 1", attendees: [{ name: "Ada" }], chatbot_external_id: "bot" };
    const { data } = await write(state);
    await platform.events();
    expect(await write(state)).toEqual({ data, result: "unchanged" });
    const elsewhere = { starts_at: "2026-03-05T19:30:00+05:30", ends_at: "2026-03-05t09:30:00.000-05:00" };
    expect(await write(elsewhere)).toEqual({ data, result: "unchanged" });
    expect(await platform.events()).toEqual([]);
  });

  test("publishes nothing for other changes than times; null clears a field, attendees are replaced", async () => {
    const { data } = await write({
      location: "Room 1",
      attendees: [{ name: "Ada" }, { name: "Ben" }],
      chatbot_external_id: "bot",
    });
    await platform.events();
    const changed = await write({
      title: "Demo II",
      timezone: "America/New_York",
      location: null,
      attendees: [{ name: "Cleo" }],
      chatbot_external_id: null,
    });
    expect(changed.result).toBe("updated");
    expect(changed.data.attributes).toEqual({
      ...data.attributes,
      title: "Demo II",
      timezone: "America/New_York",
      location: null,
      attendees: [{ name: "Cleo", email: null }],
      chatbot_id: null,
      updated_at: changed.data.attributes.updated_at,
    });
    expect(changed.data.attributes.updated_at > data.attributes.updated_at).toBe(true);
    expect(await platform.events()).toEqual([]);
  });

  test.each(["cancelled", "completed"] as const)("is %s once", async (status) => {
    await write();
    await platform.events();
    const { data, result } = await write({ status });
    expect([result, data.attributes.status]).toEqual(["updated", status]);
    expect(await platform.events()).toMatchObject([{ type: `meeting.${status}`, data }]);
    expect(await write({ status })).toEqual({ data, result: "unchanged" });
    expect(await write()).toEqual({ data, result: "unchanged" });
    expect(await platform.events()).toEqual([]);
  });

  test("that is moved and cancelled in one request publishes meeting.cancelled", async () => {
    await write();
    await platform.events();
    const { data } = await write({ ...later, status: "cancelled" });
    expect(await platform.events()).toMatchObject([{ type: "meeting.cancelled", data }]);
  });

  test("that is cancelled can move without an event, and publishes meeting.scheduled when reinstated", async () => {
    await write({ status: "cancelled" });
    await platform.events();
    expect((await write(later)).result).toBe("updated");
    expect(await platform.events()).toEqual([]);
    const { data } = await write({ ...later, status: "scheduled" });
    expect(data.attributes).toMatchObject({ status: "scheduled", starts_at: "2026-03-06T09:00:00.000Z" });
    expect(await platform.events()).toMatchObject([
      { type: "meeting.scheduled", data, previous_attributes: { status: "cancelled" } },
    ]);
  });
});

describe("times and time zones", () => {
  test.each([
    ["2026-03-05T15:00:00+01:00", "2026-03-05T14:00:00.000Z"],
    ["2026-03-05T00:30:00+05:45", "2026-03-04T18:45:00.000Z"],
    ["2026-12-31T23:00:00-02:00", "2027-01-01T01:00:00.000Z"],
    ["2028-02-29T12:00:00.123456Z", "2028-02-29T12:00:00.123Z"],
    ["2026-03-05t14:00:00z", "2026-03-05T14:00:00.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("%s is %s, and a meeting can end at its start", async (written, time) => {
    const { data } = await write({ starts_at: written, ends_at: written });
    expect(data.attributes).toMatchObject({ starts_at: time, ends_at: time });
    expect(await platform.seen(`/api/v1/meetings/${data.id}`)).toEqual(data);
  });

  test.each(["UTC", "Etc/GMT+5", "Asia/Kolkata", "America/Argentina/Ushuaia"])(
    "accepts %s",
    async (timezone) => {
      expect((await write({ timezone })).data.attributes.timezone).toBe(timezone);
    },
  );

  test.each([
    [{ timezone: "Europe/Viena" }, "body/timezone must be an IANA time zone, for example Europe/Vienna"],
    [{ timezone: "+01:00" }, "body/timezone must be an IANA time zone"],
    [{ timezone: "Vienna" }, "body/timezone must be an IANA time zone"],
    [{ timezone: "" }, "body/timezone must not be empty"],
    [{ timezone: undefined }, "body/timezone is required"],
    [{ ends_at: "2026-03-05T13:59:59.999Z" }, "body/ends_at must not be before starts_at"],
    [{ ends_at: "2026-03-05T15:00:00+01:01" }, "body/ends_at must not be before starts_at"],
    [
      { starts_at: "2026-03-05T14:00:00" },
      "body/starts_at must be an RFC 3339 timestamp with Z or an offset",
    ],
    [{ starts_at: "2026-02-29T14:00:00Z" }, "body/starts_at must be an RFC 3339 timestamp"],
    [{ starts_at: 1_772_719_200 }, "body/starts_at must be a string"],
    [{ status: "moved" }, "body/status must be one of scheduled, cancelled, completed"],
    [{ attendees: [{ email: "ada" }] }, "body/attendees/0/email must be an email address"],
    [{ attendees: Array(101).fill({}) }, "body/attendees must have at most 100 items"],
    [{ chatbot_external_id: "x" }, "body/chatbot_external_id must be the external_id of a chatbot"],
    [{ lead_external_id: "x" }, "body/lead_external_id must be the external_id of a lead"],
  ])("rejects %j with a description, for new and existing meetings", async (change, message) => {
    const state = { ...samples.meeting, ...change };
    expect(await platform.refusal("meeting", "demo", state)).toContain(message);
    expect([await platform.count("meeting"), await platform.types()]).toEqual([0, []]);
    const { data } = await write();
    expect(await platform.refusal("meeting", "demo", state)).toContain(message);
    expect(await platform.seen(`/api/v1/meetings/${data.id}`)).toEqual(data);
  });
});
