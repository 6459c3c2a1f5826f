import { setTimeout as sleep } from "node:timers/promises";
import { createDatabase, hashPassword } from "@parley/database";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { type ParleyProcess, startApiProcess } from "@parley/testing/parley-process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTenant, type Tenant } from "../../../testing/factories.ts";
import { createUser, password } from "../testing/fixture.ts";

let database: TestDatabase;
let api: ParleyProcess;
let email: string;
/** Several, so that none reaches its rate limit. */
const tenants: Tenant[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  const db = createDatabase(database.url, { poolSize: 1 });
  ({ email } = await createUser(db));
  await db.user.update({ where: { email }, data: { passwordHash: await hashPassword(password) } }); // As slow as in production.
  while (tenants.length < 10) tenants.push(await createTenant(db));
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

async function listLeads({ token }: Tenant): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${api.url}/api/v1/leads`, { headers })).status;
}

test("while 200 wrong passwords are sent, the API responds, excess sign-ins get 503, and the next sign-in succeeds", async () => {
  const forms = [];
  for (let i = 0; i < 200; i += 1) forms.push(await openForm(`198.51.100.${i}`));
  const signInForm = await openForm("203.0.113.1");

  let isOver = false;
  /** Number of API responses before each response to a checked password. */
  const before: number[] = [];
  const during: number[] = [];
  const storm = Promise.all(
    forms.map(async (submit) => {
      const response = await submit("wrong");
      if (response.status === 303) before.push(during.length);
      return response;
    }),
  ).finally(() => (isOver = true));
  while (!isOver) {
    for (const tenant of tenants) during.push(await listLeads(tenant));
    await sleep(10);
  }
  const responses = await storm;

  expect(new Set(during)).toEqual(new Set([200]));
  // On average, at least one between two checks. If checks blocked the server, there would be none.
  expect((before.at(-1) ?? 0) - (before[0] ?? 0)).toBeGreaterThanOrEqual(before.length - 1);

  const refused = responses.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([303, 503]));
  expect(refused[0]?.headers.get("retry-after")).toBe("5");
  expect(await refused[0]?.text()).toContain("Try again in a few seconds.");

  const afterwards = await signInForm(password);
  expect(afterwards.status).toBe(303);
  expect(afterwards.headers.getSetCookie().join()).toContain("parley_session=");
});
