import { type Database, runChange } from "@parley/database";

/** Delays commits of leads by a random time, so that transactions overtake each other after they took their time. */
export async function commitLate(db: Database): Promise<void> {
  await db.$executeRawUnsafe(`
    CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(random() * 0.03); RETURN NULL; END $$`);
  await db.$executeRawUnsafe(`
    CREATE CONSTRAINT TRIGGER dawdle AFTER INSERT OR UPDATE ON leads
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION dawdle()`);
}

/** Begins a change of the organization that stays open. @returns a function that commits it */
export async function beginChange(db: Database, organizationId: string): Promise<() => Promise<void>> {
  const begun = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  const running = runChange(db, organizationId, async () => {
    begun.resolve();
    await finished.promise;
  });
  await begun.promise;
  return async () => {
    finished.resolve();
    await running;
  };
}
