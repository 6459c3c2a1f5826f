import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { npmStart, processesOn, temporaryFolder, tokenIn } from "./spawned.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const leftBehind = () => processesOn(folder.path);

test("each way of stopping leaves no process behind and keeps the data", async () => {
  const first = await npmStart(folder.path);
  const created = await createLead(first.url, tokenIn(first.text()));
  expect(statSync(join(folder.path, "encryption.key")).mode & 0o777).toBe(0o600);
  const keys = () =>
    ["encryption.key", "platform.key"].map((name) => readFileSync(join(folder.path, name), "utf8"));
  const stored = keys();
  await first.end("SIGINT", "everything");
  await expect.poll(leftBehind, { timeout: 60_000 }).toEqual([]);

  const second = await npmStart(folder.path);
  expect(keys()).toEqual(stored);
  const headers = { authorization: `Bearer ${tokenIn(second.text())}` };
  expect((await fetch(`${second.url}/api/v1/leads/${created}`, { headers })).status).toBe(200);
  await second.end("SIGTERM", "npm");
  await expect.poll(leftBehind, { timeout: 60_000 }).toEqual([]);

  const third = await npmStart(folder.path);
  await third.end("SIGKILL", "everything");
  await expect.poll(leftBehind, { timeout: 60_000 }).toEqual([]);

  const fourth = await npmStart(folder.path);
  const again = { authorization: `Bearer ${tokenIn(fourth.text())}` };
  expect((await fetch(`${fourth.url}/api/v1/leads/${created}`, { headers: again })).status).toBe(200);
  await fourth.end("SIGTERM", "everything");
  await expect.poll(leftBehind, { timeout: 60_000 }).toEqual([]);
}, 600_000);

async function createLead(url: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const bots = (await (await fetch(`${url}/api/v1/chatbots`, { headers })).json()) as {
    data: { id: string }[];
  };
  const response = await fetch(`${url}/api/v1/leads`, {
    method: "POST",
    headers,
    body: JSON.stringify({ chatbot_id: bots.data[0]?.id, contact: { name: "Kept" } }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: { id: string } }).data.id;
}
