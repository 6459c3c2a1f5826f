import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";
import { startVisitor } from "../testing/visitor.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await startConsole();
});
afterAll(() => fixture.close());

const caption = "Audit log, newest first";

test("shows who did what from where, newest first", async () => {
  const visitor = await startVisitor(fixture);
  const form = await visitor.open("/console/clients");
  const fields = { name: "Lead <export>", redirect_uris: "https://app.example.com/" };
  await visitor.submit(form, "create", fields);
  const rows = (await visitor.open("/console/audit-log")).rows(caption);
  expect(rows.map(([, entry]) => entry)).toEqual([
    "App registered client.created",
    "Signed in user.signed_in",
  ]);
  const [created] = rows;
  expect(created?.slice(2)).toEqual([
    `Uma <User> ${visitor.email}`,
    "Lead <export>",
    "127.0.0.1",
    expect.stringContaining("Lead <export>"),
  ]);
});

test("filters by entry", async () => {
  const visitor = await startVisitor(fixture);
  await visitor.browser.press("sign_out", `${fixture.url}/console`);
  await visitor.browser.press("sign_in", `${fixture.url}/console`, {
    email: visitor.email,
    password: "correct horse battery staple",
  });
  const entries = async (event: string) =>
    (await visitor.open(`/console/audit-log?event=${event}`))
      .rows(caption)
      .map(([, entry = ""]) => entry.split(" ").at(-1));
  expect(await entries("")).toEqual(["user.signed_in", "user.signed_out", "user.signed_in"]);
  expect(await entries("user.signed_out")).toEqual(["user.signed_out"]);
  expect((await visitor.open("/console/audit-log?event=client.deleted")).text).toContain("No entry matches.");
  expect((await visitor.open("/console/audit-log?event=unknown")).rows(caption)).toEqual([]);
  await visitor.open("/console/audit-log?cursor=x", 400);
});

test("pages show each entry once", async () => {
  const visitor = await startVisitor(fixture);
  const { organizationId } = visitor;
  const createdAt = new Date();
  for (let index = 0; index < 70; index += 1) {
    const details = { name: `app ${index}` };
    await fixture.db.auditEntry.create({
      data: { organizationId, event: "client.updated", createdAt, details },
    });
  }
  const first = await visitor.open("/console/audit-log?event=client.updated");
  const second = await visitor.open(first.link("Older") ?? "");
  const names = [...first.rows(caption), ...second.rows(caption)].map((cells) => cells[5]);
  expect(names).toEqual(Array.from({ length: 70 }, (_, index) => `name app ${69 - index}`));
  expect(second.link("Older")).toBeUndefined();
  expect(second.link("Newest")).toBe("/console/audit-log?event=client.updated");
});

test("members cannot see it, and have no link to it", async () => {
  const visitor = await startVisitor(fixture, "member");
  const page = await visitor.open("/console/audit-log", 403);
  expect(page.text).toContain("Only admins of Umbrella & Sons can see the audit log.");
  expect(page.rows(caption)).toEqual([]);
  expect((await visitor.open("/console")).links).not.toContain("/console/audit-log");
});
