import { expect, test } from "vitest";
import { filterRows, pageRows, statusRows } from "./list-rows.ts";
import { type Resource, timestamp, useAccount } from "./service.ts";

// GET /api/v1/meetings.

const path = "/api/v1/meetings";
const { service, account } = useAccount();

const state = {
  title: "Demo",
  starts_at: "2030-03-05T15:00:00+01:00",
  ends_at: "2030-03-05T15:30:00+01:00",
  timezone: "Europe/Vienna",
};

test("a meeting has id, type and attributes; times are in UTC, and a field without a value is null", async () => {
  const [id] = await account.write(["meeting", "demo", state]);
  const { data } = (await account.call<Resource[]>("GET", path)).body;
  expect(data).toEqual([
    {
      id,
      type: "meeting",
      attributes: {
        title: "Demo",
        status: "scheduled",
        starts_at: "2030-03-05T14:00:00.000Z",
        ends_at: "2030-03-05T14:30:00.000Z",
        timezone: "Europe/Vienna",
        location: null,
        attendees: [],
        chatbot_id: null,
        lead_id: null,
        created_at: timestamp,
        updated_at: timestamp,
      },
    },
  ]);
});

pageRows({
  path,
  defaultLimit: 20,
  service: () => service,
  item: (n) => ["meeting", `meeting-${n}`, state],
});

filterRows(
  path,
  () => service,
  (externalId, chatbot_external_id, changed) => [
    "meeting",
    externalId,
    { ...state, chatbot_external_id, location: changed ? "Room 2" : "Room 1" },
  ],
);

statusRows(
  path,
  () => service,
  ["scheduled", "cancelled", "completed"],
  (externalId, status) => ["meeting", externalId, { ...state, status }],
);
