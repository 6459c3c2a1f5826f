import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";
import { startVisitor, type Visitor } from "../testing/visitor.ts";
import { createWebhook } from "../testing/webhook.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await startConsole({ MAX_SUBSCRIPTIONS: "20" });
});
afterAll(() => fixture.close());

const now = new Date();
const monthsAgo = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));

/** Records messages of a month. */
const use = ({ organizationId }: Visitor, months: number, used: number) =>
  fixture.db.usagePeriod.create({
    data: { organizationId, metric: "messages", periodStart: monthsAgo(months), used },
  });

test("shows the messages of this month, the plan and the webhooks", async () => {
  const visitor = await startVisitor(fixture);
  await use(visitor, 0, 2_500);
  await use(visitor, 1, 9_000);
  await createWebhook(visitor);
  const page = await visitor.open("/console/usage");
  expect(page.details("Plan")).toBe("Pro");
  expect(page.details("Organization")).toBe("Umbrella & Sons");
  expect(page.details("API access")).toMatch(/^\d+ requests per minute$/);
  expect(page.details("Messages this month")).toMatch(/^2,500 of [\d,]+$/);
  expect(page.details("Webhooks")).toBe("1 of 20");
  const end = new Date(monthsAgo(-1).getTime() - 1);
  expect(page.text).toContain(`the month ends on ${end.getUTCDate()} `);
  expect(page.text).toContain("Messages of the last 2 months with usage.");
  expect(page.text).toMatch(/9,?000/);
  expect(page.text).not.toContain("is used up");
});

test("members see it too; without usage it shows zero", async () => {
  const visitor = await startVisitor(fixture, "member");
  const page = await visitor.open("/console/usage");
  expect(page.details("Messages this month")).toMatch(/^0 of/);
  expect(page.text).not.toContain("Messages per month");
});

test("warns when the allowance is used up, and without API access", async () => {
  const visitor = await startVisitor(fixture);
  const where = { id: visitor.organizationId };
  await fixture.db.organization.update({ where, data: { plan: "free" } });
  await use(visitor, 0, 10_000_000);
  const { text } = await visitor.open("/console/usage");
  expect(text).toContain("The allowance of this month is used up.");
  expect(text).toContain("100 % of the allowance");
  expect(text).toContain("The API and changes of webhooks need the Starter plan or higher.");
});
