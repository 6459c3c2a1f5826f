/** Runs programs that were written with only llms.txt and the pages that it links. They are in tasks/. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { demo } from "@parley/database";
import { Parley } from "@parley/sdk";
import { sendWebhook, webhookEvent } from "@parley/sdk/testing";
import { freePort } from "@parley/testing/free-port";
import { type Program, startProgram } from "@parley/testing/program";
import { makeTestFolder } from "@parley/testing/test-folder";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { allowAccess, type Demo, startDemo } from "../src/testing/demo.ts";

let parley: Demo;
beforeAll(async () => {
  parley = await startDemo();
});
afterAll(() => parley.stop());

function start(name: string, variables: Record<string, string>, cwd: string = makeTestFolder()): Program {
  const env = { PATH: process.env["PATH"], ...variables };
  const program = startProgram([process.execPath, join(import.meta.dirname, "tasks", name)], {
    cwd,
    env,
    interactive: true,
  });
  onTestFinished(program.kill);
  return program;
}

test("a receiver handles each delivery once, and rejects others", async () => {
  const secret = "parley_ws_task";
  const port = await freePort();
  const receiver = start("receiver.mjs", { PORT: `${port}`, PARLEY_WEBHOOK_SECRET: secret });
  await receiver.output(/^listening$/m);
  const url = `http://127.0.0.1:${port}/`;
  const event = webhookEvent("lead.qualified", {
    data: { attributes: { score: 91, contact: { email: "ada@example.com" } } },
  });
  const deliveryId = crypto.randomUUID();
  for (const expected of [true, true]) {
    expect((await sendWebhook(url, event, { secret, deliveryId })).delivered).toBe(expected);
  }
  expect((await sendWebhook(url, event, { secret: "parley_ws_other" })).status).toBe(400);
  const old = () => Date.now() - 400_000;
  expect((await sendWebhook(url, event, { secret, now: old })).status).toBe(400);
  const { code, stdout } = await receiver.stop();
  expect([code, stdout.match(/^qualified ada@example\.com 91$/gm)?.length]).toEqual([0, 1]);
});

test("an OAuth sign-in exchanges the code, refreshes and revokes", async () => {
  const [redirectUri] = demo.redirectUris;
  const variables = {
    PARLEY_URL: parley.url,
    CLIENT_ID: demo.clientId,
    CLIENT_SECRET: demo.clientSecret,
    REDIRECT_URI: redirectUri,
  };
  const signIn = start("sign-in.mjs", variables);
  const [, page = ""] = await signIn.output(/^open (\S+)$/m);
  signIn.child.stdin.end(`${(await allowAccess(page)).href}\n`);
  const { code, stdout } = await signIn.ended();
  expect([code, stdout.split("\n").slice(1)]).toEqual([
    0,
    ["organization Pro Properties", "refreshed", "revoked", ""],
  ]);

  const forged = start("sign-in.mjs", variables);
  const [, forgedPage = ""] = await forged.output(/^open (\S+)$/m);
  const redirect = await allowAccess(forgedPage);
  redirect.searchParams.set("state", "other");
  forged.child.stdin.end(`${redirect.href}\n`);
  expect((await forged.ended()).code).toBe(1);
});

test("a sync receives all leads, then only changes", async () => {
  const client = new Parley({ baseUrl: parley.url, accessToken: parley.token });
  const folder = makeTestFolder();
  const variables = { PARLEY_URL: parley.url, PARLEY_TOKEN: parley.token };
  const sync = async () =>
    /^synced (\d+)$/m.exec((await start("sync.mjs", variables, folder).ended()).stdout)?.[1];
  const { data: leads, meta } = await client.leads.list({ limit: 1 });
  expect(await sync()).toBe(String(meta.total));
  expect(await sync()).toBe("0");
  await client.leads.update(leads[0]?.id ?? "", { score: 77 });
  expect(await sync()).toBe("1");
  const copied = JSON.parse(readFileSync(join(folder, "leads.json"), "utf8"));
  expect(Object.keys(copied)).toHaveLength(meta.total);
  expect(copied[leads[0]?.id ?? ""].attributes.score).toBe(77);
});
