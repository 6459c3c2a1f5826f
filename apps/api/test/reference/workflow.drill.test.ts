/** Runs the Arazzo workflow of the main job with Redocly's runner against the server. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, startWebhookApi, type WebhookApi } from "../../src/testing/webhook-api.ts";

const repository = join(import.meta.dirname, "../../../..");
const workflow = "openapi/workflows/first-webhook.arazzo.yaml";
const folder = mkdtempSync(join(tmpdir(), "parley-workflow-"));

let api: WebhookApi;
beforeAll(async () => {
  api = await startWebhookApi();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await api.close();
});

interface Result {
  files: Record<string, { executedWorkflows: { executedSteps: { stepId: string; status: string }[] }[] }>;
}

/** Runs the workflow; resolves to the outcomes of the executed steps, in order. */
async function run(inputs: Record<string, string>): Promise<[stepId: string, outcome: string][]> {
  const output = join(folder, "result.json");
  const given = Object.entries(inputs).flatMap(([name, value]) => ["--input", `${name}=${value}`]);
  const options = ["--server", `parley=${api.url}`, "--json-output", output, ...given];
  const redocly = join(repository, "node_modules/.bin/redocly");
  const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const running = promisify(execFile)(redocly, ["respect", workflow, ...options], { cwd: repository, env });
  await running.catch(() => "a step failed, and the result tells which");
  const { files } = JSON.parse(readFileSync(output, "utf8")) as Result;
  const steps = files[workflow]?.executedWorkflows[0]?.executedSteps ?? [];
  return steps.map(({ stepId, status }) => [stepId, status]);
}

const untilTheTest = ["who-am-i", "choose-a-chatbot", "create-a-lead", "read-the-lead", "subscribe"];
const fromTheTest = ["test-the-webhook", "look-at-the-deliveries", "unsubscribe"];

test("every step succeeds, and the test arrives", async () => {
  const receiver = await api.startReceiver();
  const { tenant } = await createClient(api);
  const outcomes = await run({ access_token: tenant.token, target_url: receiver.url });
  expect(outcomes).toEqual([...untilTheTest, ...fromTheTest].map((step) => [step, "success"]));
  expect(receiver.received.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
    { type: "lead.created", test: true },
  ]);
});

test("fails at the step in which the receiver fails", async () => {
  const receiver = await api.startReceiver((response) => response.writeHead(500).end());
  const { tenant } = await createClient(api);
  const outcomes = await run({ access_token: tenant.token, target_url: receiver.url });
  const succeeded = untilTheTest.map((step) => [step, "success"]);
  expect(outcomes).toEqual([...succeeded, ["test-the-webhook", "error"]]);
});
