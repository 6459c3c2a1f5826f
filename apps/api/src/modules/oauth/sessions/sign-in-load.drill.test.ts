import { setTimeout as sleep } from "node:timers/promises";
import { createDatabase } from "@parley/database";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { type ParleyProcess, startApiProcess } from "@parley/testing/parley-process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTenant, type Tenant } from "../../../testing/factories.ts";
import { createUser, password } from "../testing/fixture.ts";

let database: TestDatabase;
let api: ParleyProcess;
let email: string;
let tenant: Tenant;
beforeAll(async () => {
  database = await createTestDatabase();
  const db = createDatabase(database.url, { poolSize: 1 });
  ({ email } = await createUser(db));
  tenant = await createTenant(db);
  await db.$disconnect();
  api = await startApiProcess({
    // A name, so that each new connection needs a DNS lookup, which shares its threads with scrypt.
    DATABASE_URL: database.url.replace("127.0.0.1", "localhost"),
    TRUST_PROXY: "true",
    SHUTDOWN_DELAY_MS: "0",
  });
});
afterAll(async () => {
  await api.stop();
  await database.release();
});

/** Opens the sign-in form in a browser with its own network address. */
async function openForm(address: string): Promise<(text: string) => Promise<Response>> {
  const page = await fetch(`${api.url}/console/apps`, { headers: { "x-forwarded-for": address } });
  const cookie = page.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  return (text) =>
    fetch(`${api.url}/console/session`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie, "x-forwarded-for": address },
      body: new URLSearchParams({ csrf_token, action: "sign_in", email, password: text }),
    });
}

async function listLeads(): Promise<{ status: number; ms: number }> {
  const from = performance.now();
  const headers = { authorization: `Bearer ${tenant.token}` };
  const { status } = await fetch(`${api.url}/api/v1/leads`, { headers });
  return { status, ms: performance.now() - from };
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test("200 wrong passwords at the same time slow down neither the API nor the next sign-in", async () => {
  const forms = [];
  for (let i = 0; i < 200; i += 1) forms.push(await openForm(`198.51.100.${i}`));
  const signInForm = await openForm("203.0.113.1");
  const idle: number[] = [];
  for (let i = 0; i < 20; i += 1) idle.push((await listLeads()).ms);

  let isOver = false;
  const storm = Promise.all(forms.map((submit) => submit("wrong"))).finally(() => (isOver = true));
  const during: { status: number; ms: number }[] = [];
  const meanwhile = signInForm(password);
  for (; !isOver; await sleep(20)) during.push(await listLeads());
  const responses = await storm;

  expect(new Set(during.map(({ status }) => status))).toEqual(new Set([200]));
  expect(median(during.map(({ ms }) => ms))).toBeLessThan(10 * median(idle) + 50);

  const refused = responses.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(100);
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([303, 503]));
  expect(refused[0]?.headers.get("retry-after")).toBe("5");
  expect(await refused[0]?.text()).toContain("Try again in a few seconds.");
  expect([303, 503]).toContain((await meanwhile).status);

  const afterwards = await signInForm(password);
  expect(afterwards.status).toBe(303);
  expect(afterwards.headers.getSetCookie().join()).toContain("parley_session=");
});
