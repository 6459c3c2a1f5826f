import { createDatabase } from "@parley/database";
import { createTestDatabase } from "@parley/database/testing";
import { expect, test, vi } from "vitest";
import { exitCodeOf } from "./exit-code.ts";

test("does not report a change that takes too long as an unavailable database", async () => {
  const database = await createTestDatabase();
  const db = createDatabase(database.url);
  const slow = db.$transaction((tx) => tx.$queryRaw`SELECT pg_sleep(0.3)::text`, { timeout: 100 });
  const error = await slow.catch((reason: unknown) => reason);
  await db.$disconnect();
  await database.release();

  const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const code = exitCodeOf(error);
  const [[message] = []] = printed.mock.calls;
  printed.mockRestore();
  expect([code, message]).toEqual([
    1,
    "error: The change took too long and was rolled back. Try again later.",
  ]);
});
