import { expect, it } from "vitest";
import { leadCreated } from "../testing/factories.ts";
import { type NewEvent, timeOf } from "./event.ts";

const updatedAt = new Date("2026-03-01T09:00:00.123Z");
const lead = leadCreated(null);
const event: NewEvent = {
  ...lead,
  data: { ...lead.data, attributes: { ...lead.data.attributes, updated_at: updatedAt.toISOString() } },
} as NewEvent;
const after = (ms: number) => new Date(updatedAt.getTime() + ms);

it("has the time of the record's change, which may have waited for another one", () => {
  expect(timeOf(event, after(-5))).toEqual(updatedAt);
});

it("is not before the start of its change", () => {
  expect(timeOf(event, after(5))).toEqual(after(5));
});

it("has the given time, if the record does not change", () => {
  expect(timeOf({ ...event, at: after(10) }, after(5))).toEqual(after(10));
});
