import { createDatabase, hashPassword } from "@parley/database";
import { useTestDatabase } from "@parley/database/testing";
import { expect, test, vi } from "vitest";
import { createUser, password } from "../testing/fixture.ts";
import { siteOf } from "./network.ts";
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

test("failures from many networks of one site block it, except the networks where the user signed in before", async () => {
  const { email, id, organizationId } = await createUser(database.db);
  const signInThrottle = throttleInMemory({ windowMs: 900_000, clock: Date.now });
  await startSession(database.db, { id, organizationId }, { now: new Date(), address: "2001:db8:1:ffff::1" });
  const context = { db: database.db, signInThrottle };
  const site = [{ key: siteOf("2001:db8:1::") ?? "", failures: 100 }];
  for (let guess = 0; guess < 100; guess += 1) await signInThrottle.attempt(site);
  const from = (address: string) => checkPassword(context, { email, password, address });
  await expect(from("2001:db8:1:7777::1")).rejects.toMatchObject({ status: 429 });
  expect((await from("2001:db8:1:ffff::2"))?.id).toBe(id);
  expect((await from("2001:db8:2:1::1"))?.id).toBe(id);
});

test("sign-ins from a network where the user signed in before do not wait for others", async () => {
  const { email, id, organizationId } = await createUser(database.db);
  await database.db.user.update({ where: { id }, data: { passwordHash: await hashPassword(password) } }); // As slow as in production.
  const signInThrottle = throttleInMemory({ windowMs: 900_000, clock: Date.now });
  await startSession(database.db, { id, organizationId }, { now: new Date(), address: "203.0.113.1" });
  const context = { db: database.db, signInThrottle };
  const ended: string[] = [];
  const flood = Array.from({ length: 60 }, (_, index) =>
    checkPassword(context, { email, password: "wrong", address: `198.51.100.${index}` }).then(
      () => ended.push("checked"),
      ({ status }: { status: number }) => ended.push(String(status)),
    ),
  );
  await vi.waitFor(() => expect(ended).toContain("503"), { timeout: 20_000, interval: 1 }); // The lane is full.
  expect((await checkPassword(context, { email, password, address: "203.0.113.1" }))?.id).toBe(id);
  const before = ended.filter((outcome) => outcome === "checked").length;
  await Promise.all(flood);
  expect(ended.filter((outcome) => outcome === "checked").length).toBeGreaterThan(before);
});

test("one organization cannot take all places of the lane of known networks", async () => {
  const signInThrottle = throttleInMemory({ windowMs: 900_000, clock: Date.now });
  const context = { db: database.db, signInThrottle };
  const users = [await createUser(database.db), await createUser(database.db)];
  const passwordHash = await hashPassword(password);
  for (const [index, { id, organizationId }] of users.entries()) {
    await database.db.user.update({ where: { id }, data: { passwordHash } });
    const address = `203.0.113.${index}`;
    await startSession(database.db, { id, organizationId }, { now: new Date(), address });
  }
  const from = (index: number) =>
    checkPassword(context, { email: users[index]?.email ?? "", password, address: `203.0.113.${index}` });
  const flood = Promise.allSettled(Array.from({ length: 12 }, () => from(0)));
  expect((await from(1))?.id).toBe(users[1]?.id);
  const refused = (await flood).filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(2);
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
