import { afterAll, beforeAll } from "vitest";
import { createDatabase, type Database } from "../client.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

/** Database of a test file, and a Prisma client. */
export interface ConnectedDatabase extends TestDatabase {
  db: Database;
}

/**
 * Creates a database with all migrations before the tests of a file, and releases it after them. The tests may use the returned object, and
 * hooks that are declared later.
 */
export function useTestDatabase(poolSize = 2): ConnectedDatabase {
  const database = {} as ConnectedDatabase;
  beforeAll(async () => {
    const created = await createTestDatabase();
    Object.assign(database, created, { db: createDatabase(created.url, { poolSize }) });
  });
  afterAll(async () => {
    await database.db.$disconnect();
    await database.release();
  });
  return database;
}
