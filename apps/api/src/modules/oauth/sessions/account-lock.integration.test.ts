import { createDatabase } from "@parley/database";
import { useTestDatabase } from "@parley/database/testing";
import { expect, test } from "vitest";
import { createUser, password } from "../testing/fixture.ts";
import { startSession } from "./sessions.ts";
import { checkPassword } from "./sign-in.ts";
import { throttleInMemory } from "./throttle-in-memory.ts";

const database = useTestDatabase();

test("failures from many networks block an account, except on networks where its owner signed in before", async () => {
  const { email, id, organizationId } = await createUser(database.db);
  const signInThrottle = throttleInMemory({ windowMs: 900_000, clock: Date.now });
  await startSession(database.db, { id, organizationId }, { now: new Date(), address: "2001:db8:1:2::7" });
  for (let guess = 0; guess < 100; guess += 1) await signInThrottle.attempt([{ key: email, failures: 100 }]);

  const from = (address: string) =>
    checkPassword({ db: database.db, signInThrottle }, { email, password, address });
  await expect(from("203.0.113.9")).rejects.toMatchObject({ status: 429 });
  await expect(from("2001:db8:1:3::7")).rejects.toMatchObject({ status: 429 });
  expect((await from("2001:db8:1:2::8"))?.id).toBe(id);

  const wrong = { email, password: "wrong", address: "2001:db8:1:2::8" };
  for (let guess = 0; guess < 10; guess += 1)
    expect(await checkPassword({ db: database.db, signInThrottle }, wrong)).toBeNull();
  await expect(from("2001:db8:1:2::8")).rejects.toMatchObject({ status: 429 });
});

test("throttled attempts are recorded once per window and network", async () => {
  const { email, id: userId, organizationId } = await createUser(database.db);
  const signInThrottle = throttleInMemory({ windowMs: 900_000, clock: Date.now });
  const wrong = { email, password: "wrong", address: "198.51.100.7" };
  for (let guess = 0; guess < 10; guess += 1) await checkPassword({ db: database.db, signInThrottle }, wrong);
  for (const password of ["wrong", "wrong too", "right or not"]) {
    await expect(
      checkPassword({ db: database.db, signInThrottle }, { ...wrong, password }),
    ).rejects.toMatchObject({
      status: 429,
    });
  }
  const recorded = await database.db.auditEntry.findMany({
    where: { event: "user.sign_in_throttled", userId },
  });
  expect(recorded).toMatchObject([{ organizationId, address: "198.51.100.7" }]);
});

test("attempts during a database outage do not count as failures", async () => {
  const { email, id } = await createUser(database.db);
  const signInThrottle = throttleInMemory({ windowMs: 900_000, clock: Date.now });
  const attempt = { email, password, address: "198.51.100.8" };
  const unreachable = createDatabase("postgresql://127.0.0.1:1/none", { poolSize: 1 });
  for (let failure = 0; failure < 11; failure += 1) {
    await expect(checkPassword({ db: unreachable, signInThrottle }, attempt)).rejects.not.toHaveProperty(
      "status",
    );
  }
  await unreachable.$disconnect();
  expect((await checkPassword({ db: database.db, signInThrottle }, attempt))?.id).toBe(id);
});
