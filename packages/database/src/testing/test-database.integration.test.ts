import { expect, it } from "vitest";
import { connect } from "../client.ts";
import { createTestDatabase } from "./index.ts";

it("creates a separate migrated database for each caller", async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const client = await connect(one.url);
  const { rows } = await client.query("SELECT count(*)::int AS migrations FROM _prisma_migrations");
  expect(rows[0].migrations).toBeGreaterThan(0);
  await client.query("CREATE TABLE mine ()");
  const second = await connect(other.url);
  expect((await second.query("SELECT to_regclass('mine') AS found")).rows).toEqual([{ found: null }]);

  client.on("error", () => {}); // The connection is terminated below.
  await one.drop();
  await expect(connect(one.url)).rejects.toThrow("does not exist");
  await second.end();
  await other.drop();
});
