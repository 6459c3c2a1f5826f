import { expect, onTestFinished, test, vi } from "vitest";
import { NotFoundError } from "../src/index.ts";
import { startTestClient } from "./support/client.ts";
import { dataResponse, errorResponse, leadFixture, leadPageResponse } from "./support/responses.ts";

test("returns the response, its ID and the rate limit", async () => {
  const limit = { "x-ratelimit-limit": "300", "x-ratelimit-remaining": "299", "x-ratelimit-reset": "42" };
  const { parley } = await startTestClient(() => ({
    ...dataResponse(leadFixture("a")),
    headers: { "x-request-id": "r-1", ...limit },
  }));
  const { data, meta, response, requestId, rateLimit } = await parley.leads.get("a").withResponse();
  expect([data.id, meta.api_version, response.status, requestId]).toEqual(["a", "2024-01-01", 200, "r-1"]);
  expect(rateLimit).toEqual({ limit: 300, remaining: 299, resetSeconds: 42 });
});

test("returns null without rate limit fields", async () => {
  const { parley } = await startTestClient(() => dataResponse(leadFixture("a")));
  const { rateLimit } = await parley.leads.update("a", { score: 1 }).withResponse();
  expect(rateLimit).toBeNull();
});

test("sends one request, also for a list that is then iterated", async () => {
  const { parley, received } = await startTestClient(({ url }) => leadPageResponse(url, 5));
  const list = parley.leads.list();
  const { data, response } = await list.withResponse();
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  expect([data.length, response.status, ids.length, received.length]).toEqual([5, 200, 5, 1]);
});

test("throws the error of the call, and leaves no unhandled rejection", async () => {
  const { parley } = await startTestClient(() => errorResponse(404, "not_found"));
  const unhandled = vi.fn<(reason: unknown) => void>();
  process.on("unhandledRejection", unhandled);
  onTestFinished(() => void process.off("unhandledRejection", unhandled));
  await expect(parley.leads.get("a").withResponse()).rejects.toBeInstanceOf(NotFoundError);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(unhandled).not.toHaveBeenCalled();
});
