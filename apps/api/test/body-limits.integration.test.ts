import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsoleFixture, startConsole } from "../src/modules/console/testing/console.ts";
import { startVisitor } from "../src/modules/console/testing/visitor.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await startConsole();
});
afterAll(() => fixture.close());

const limit = 16_384;
const form = "application/x-www-form-urlencoded";

/** @param bytes sent without a length, in chunks, if `chunked` */
function post(
  path: string,
  bytes: number,
  { type = form, chunked = false } = {},
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": type, ...(!chunked && { "content-length": bytes }) };
    const sent = request(`${fixture.url}${path}`, { method: "POST", headers }, (response) => {
      resolve(response.resume().statusCode);
    });
    sent.once("error", reject);
    sent.end("x".repeat(bytes));
  });
}

test.each([
  ["/api/oauth/token", form],
  ["/api/oauth/token", "application/json"],
  ["/api/oauth/revoke", form],
  ["/api/oauth/authorize", form],
  ["/console/session", form],
  ["/console/apps", form],
  ["/console/webhooks/new", form],
  ["/console/clients", form],
  ["/nothing", "application/json"],
])("POST %s with %s and without credentials: 16 KiB", async (path, type) => {
  for (const chunked of [false, true]) {
    expect([chunked, await post(path, limit + 1, { type, chunked })]).toEqual([chunked, 413]);
  }
  expect(await post(path, limit, { type })).not.toBe(413);
});

test("a form of a signed-in person ends at what its fields can hold", async () => {
  const visitor = await startVisitor(fixture);
  const fields = { target_url: "https://hooks.example.com/", types: "all" };
  const save = async (headers: string) =>
    visitor.submit(await visitor.open("/console/webhooks/new"), "save", { ...fields, headers });
  const page = await save("x".repeat(100_000));
  expect(page.problem("headers")).toBeDefined();
  await expect(save("x".repeat(1_048_576))).rejects.toThrow("413");
});
