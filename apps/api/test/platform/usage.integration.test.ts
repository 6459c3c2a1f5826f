import type { Plan, Schemas } from "@parley/contract";
import { describe, expect, test } from "vitest";
import { useApi } from "../../src/testing/api-server.ts";
import { createPlatform, type Platform } from "../../src/testing/platform.ts";

const api = useApi({ DATABASE_POOL_SIZE: "16" });

const march = "2026-03-10T09:00:00Z";
/** Writes usage; by default in March. */
const use = (platform: Platform, externalId: string, quantity: number, occurred_at = march) =>
  platform.put("usage_record", externalId, { metric: "messages", quantity, occurred_at });
/** Returns the thresholds published since the last call, with the sum that reached them. */
async function announced(platform: Platform): Promise<string[]> {
  return (await platform.events()).map((event) => {
    const { threshold_percent, used } = (event.data as Schemas["Usage"]).attributes;
    return `${event.type} ${threshold_percent} % at ${used}`;
  });
}
const reached = (percent: number, used: number) => `usage.threshold_reached ${percent} % at ${used}`;
/** Creates an organization whose plan includes 500 messages a month. */
const open = () => createPlatform(api, { plan: "free" });

describe("a usage record", () => {
  test("is stored as given; without a time, with the current time", async () => {
    const platform = await open();
    const { data, result } = await use(platform, "day-1", 25, "2026-03-10T10:00:00+01:00");
    expect(result).toBe("created");
    expect(data.attributes).toMatchObject({
      metric: "messages",
      quantity: 25,
      occurred_at: "2026-03-10T09:00:00.000Z",
    });
    const now = await platform.put("usage_record", "day-2", { metric: "messages", quantity: 400 });
    expect(now.data.attributes.occurred_at).toBe(now.data.attributes.created_at);
    const month = now.data.attributes.created_at.slice(0, 7);
    const [event] = await platform.events();
    expect(event).toMatchObject({
      data: { attributes: { period_start: `${month}-01T00:00:00.000Z`, used: 400 } },
    });
  });

  test("is unchanged and counted once if it is written again, even without its time", async () => {
    const platform = await open();
    const { data } = await use(platform, "day-1", 399);
    expect(await use(platform, "day-1", 399)).toEqual({ data, result: "unchanged" });
    const timeless = await platform.put("usage_record", "day-1", { metric: "messages", quantity: 399 });
    expect(timeless).toEqual({ data, result: "unchanged" });
    await use(platform, "day-2", 1);
    expect(await announced(platform)).toEqual([reached(80, 400)]);
  });

  test("can move within its month, but not to another one", async () => {
    const platform = await open();
    const { data } = await use(platform, "day-1", 10, "2026-03-01T00:00:00Z");
    const moved = await use(platform, "day-1", 10, "2026-04-01T00:59:59+01:00");
    expect(moved.result).toBe("updated");
    expect(moved.data.attributes.occurred_at).toBe("2026-03-31T23:59:59.000Z");
    expect(moved.data.attributes.updated_at > data.attributes.updated_at).toBe(true);
    for (const occurred_at of ["2026-04-01T00:00:00Z", "2026-02-28T23:59:59Z", "2027-03-10T09:00:00Z"]) {
      expect(
        await platform.refusal("usage_record", "day-1", { metric: "messages", quantity: 10, occurred_at }),
      ).toBe(
        "body/occurred_at cannot move to another month. Set this record's quantity to 0 and create another record.",
      );
    }
    await use(platform, "day-2", 390);
    expect(await announced(platform)).toEqual([reached(80, 400)]);
  });

  test.each([
    [{ metric: "tokens" }, "body/metric must be one of messages"],
    [{ quantity: -1 }, "body/quantity must be an integer from 0 to 1000000000"],
    [{ quantity: 1_000_000_001 }, "body/quantity must be an integer from 0 to 1000000000"],
    [{ quantity: 0.5 }, "body/quantity must be an integer from 0 to 1000000000"],
    [{ quantity: undefined }, "body/quantity is required"],
    [{ occurred_at: "yesterday" }, "body/occurred_at must be an RFC 3339 timestamp"],
  ])("with %j is rejected with a description", async (change, message) => {
    const platform = await open();
    const body = { metric: "messages", quantity: 500, ...change };
    expect(await platform.refusal("usage_record", "day-1", body)).toContain(message);
    expect([await platform.count("usage_record"), await platform.types()]).toEqual([0, []]);
  });
});

test("rejects a month whose end exceeds the range of timestamps", async () => {
  const platform = await open();
  const record = { metric: "messages", quantity: 1, occurred_at: "9999-12-05T00:00:00Z" };
  expect(await platform.refusal("usage_record", "late", record)).toBe(
    "body/occurred_at must be before December 9999",
  );
});

describe("the thresholds", () => {
  test("are published once per month, with the period and the plan's allowance", async () => {
    const platform = await open();
    await use(platform, "1", 399);
    expect(await announced(platform)).toEqual([]);
    await use(platform, "2", 1);
    const [event, ...others] = await platform.events();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: "usage.threshold_reached",
      chatbot_id: null,
      data: {
        type: "usage",
        attributes: {
          metric: "messages",
          period_start: "2026-03-01T00:00:00.000Z",
          period_end: "2026-04-01T00:00:00.000Z",
          allowance: 500,
          used: 400,
          threshold_percent: 80,
        },
      },
    });
    await use(platform, "3", 99);
    expect(await announced(platform)).toEqual([]);
    await use(platform, "4", 7);
    expect(await announced(platform)).toEqual([reached(100, 506)]);
    await use(platform, "5", 1000);
    expect(await announced(platform)).toEqual([]);
  });

  test("are both published if one record reaches both", async () => {
    const platform = await open();
    await use(platform, "1", 500);
    expect(await announced(platform)).toEqual([reached(80, 500), reached(100, 500)]);
  });

  test("are also reached when a record is increased, and not published again after a record was decreased", async () => {
    const platform = await open();
    await use(platform, "1", 100);
    await use(platform, "2", 250);
    const { data, result } = await use(platform, "1", 150);
    expect([result, data.attributes.quantity]).toEqual(["updated", 150]);
    expect(await announced(platform)).toEqual([reached(80, 400)]);
    await use(platform, "1", 0);
    await use(platform, "1", 249);
    expect(await announced(platform)).toEqual([]);
    await use(platform, "2", 251);
    expect(await announced(platform)).toEqual([reached(100, 500)]);
    await use(platform, "2", 0);
    await use(platform, "2", 1000);
    expect(await announced(platform)).toEqual([]);
  });

  test("are counted per month, which begins at midnight UTC", async () => {
    const platform = await open();
    await use(platform, "1", 399, "2026-03-31T23:59:59.999Z");
    await use(platform, "2", 399, "2026-04-01T00:00:00Z");
    await use(platform, "3", 399, "2025-03-10T09:00:00Z");
    expect(await announced(platform)).toEqual([]);
    await use(platform, "4", 1, "2026-04-01T01:00:00+02:00"); // March in UTC.
    expect(await platform.events()).toMatchObject([
      { data: { attributes: { period_start: "2026-03-01T00:00:00.000Z", used: 400 } } },
    ]);
    await use(platform, "5", 1, "2026-04-30T23:00:00-01:00"); // May in UTC.
    expect(await announced(platform)).toEqual([]);
    await use(platform, "6", 1, "2026-04-30T23:00:00+01:00");
    expect(await platform.events()).toMatchObject([
      { data: { attributes: { period_start: "2026-04-01T00:00:00.000Z", used: 400 } } },
    ]);
  });

  test.each([
    ["2026-12-31T23:59:59Z", "2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
    ["2028-02-29T00:00:00Z", "2028-02-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"],
    ["0050-03-10T00:00:00Z", "0050-03-01T00:00:00.000Z", "0050-04-01T00:00:00.000Z"],
  ])("at %s belong to the month from %s to %s", async (time, period_start, period_end) => {
    const platform = await open();
    await use(platform, "1", 400, time);
    expect(await platform.events()).toMatchObject([{ data: { attributes: { period_start, period_end } } }]);
  });

  test.each<[Plan, number]>([
    ["free", 500],
    ["starter", 2_000],
    ["pro", 10_000],
    ["business", 100_000],
  ])("of the %s plan are 80 % and 100 % of %d messages", async (plan, allowance) => {
    const platform = await createPlatform(api, { plan });
    await use(platform, "1", allowance * 0.8 - 1);
    expect(await announced(platform)).toEqual([]);
    await use(platform, "2", 1);
    expect(await announced(platform)).toEqual([reached(80, allowance * 0.8)]);
    await use(platform, "3", allowance * 0.2 - 1);
    expect(await announced(platform)).toEqual([]);
    await use(platform, "4", 1);
    expect(await announced(platform)).toEqual([reached(100, allowance)]);
  });

  test("are counted per organization", async () => {
    const [one, other] = [await open(), await open()];
    await use(one, "1", 399);
    await use(other, "1", 399);
    expect([await announced(one), await announced(other)]).toEqual([[], []]);
    await use(one, "2", 1);
    expect([await announced(one), await announced(other)]).toEqual([[reached(80, 400)], []]);
  });

  test("are published once if ten concurrent records reach them", async () => {
    const platform = await open();
    await Promise.all(Array.from({ length: 10 }, (_, index) => use(platform, `${index}`, 60)));
    const percents = (await announced(platform)).map((message) => message.split(" at ")[0]);
    expect(percents).toEqual(["usage.threshold_reached 80 %", "usage.threshold_reached 100 %"]);
  });

  test("count a correction once if it is made concurrently", async () => {
    const platform = await open();
    const ten = Array.from({ length: 10 }, (_, index) => `${index}`);
    await Promise.all(ten.map((id) => use(platform, id, 10)));
    const responses = await Promise.all(ten.map(() => use(platform, "0", 110)));
    expect(responses.filter(({ result }) => result === "updated")).toHaveLength(1);
    await use(platform, "last", 200);
    expect(await announced(platform)).toEqual([reached(80, 400)]);
  });

  test("support sums that exceed the maximum of one record", async () => {
    const platform = await createPlatform(api, { plan: "business" });
    for (const id of ["1", "2", "3"]) await use(platform, id, 1_000_000_000);
    expect(await announced(platform)).toEqual([reached(80, 1e9), reached(100, 1e9)]);
    const { organizationId } = platform.tenant;
    expect(await api.db.usagePeriod.findFirst({ where: { organizationId } })).toMatchObject({
      used: 3_000_000_000n,
    });
  });
});
