import { expect, test } from "vitest";
import { encodeCursor, parsePosition, positionText } from "./cursor.ts";

const id = "01928c60-3b1a-7f42-8c55-2f0d6a9b7e11";

test("returns the position that the cursor was made of", () => {
  for (const time of ["2026-02-28T23:59:59.999Z", "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]) {
    expect(parsePosition(positionText({ time, id }))).toEqual({ time, id });
  }
});

test.each([
  ["no JSON", "x"],
  ["no list", Buffer.from("{}").toString("base64url")],
  ["no ID", encodeCursor(["2026-02-28T00:00:00.000Z", "some"])],
  ["a time without milliseconds", encodeCursor(["2026-02-28T00:00:00Z", id])],
  ["a day that the calendar does not have", encodeCursor(["2026-02-30T00:00:00.000Z", id])],
  ["an hour that a day does not have", encodeCursor(["2026-02-28T24:00:00.000Z", id])],
  ["a year that PostgreSQL does not have", encodeCursor(["0000-01-01T00:00:00.000Z", id])],
])("rejects a cursor with %s", (_, cursor) => {
  expect(parsePosition(cursor)).toBeUndefined();
});
