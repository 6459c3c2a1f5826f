import { listApiRequests } from "@parley/database";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { asPlatform } from "../../../testing/api-server.ts";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";
import { startVisitor, type Visitor } from "../testing/visitor.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await startConsole();
});
afterAll(() => fixture.close());

const caption = "API requests, newest first";

const list = (visitor: Visitor, query: Record<string, string> = {}, status = 200) =>
  visitor.open(`/console/requests?${new URLSearchParams(query)}`, status);

/** Returns what the list shows of each request: method with route, and response. */
const shown = async (visitor: Visitor, query: Record<string, string> = {}) =>
  (await list(visitor, query))
    .rows(caption)
    .map(([, request, response = ""]) => [request, response.slice(0, 3)]);

/** Waits until the log of the visitor's organization has a number of entries. */
const logged = ({ organizationId }: Visitor, count: number) =>
  vi.waitFor(
    async () => {
      const { rows } = await listApiRequests(fixture.db, { organizationId }, { limit: 100 });
      expect(rows).toHaveLength(count);
    },
    { timeout: 30_000, interval: 20 },
  );

describe("the log of API requests", () => {
  let visitor: Visitor;
  let until: Date;
  let idOfRejected: string;
  beforeAll(async () => {
    visitor = await startVisitor(fixture);
    await visitor.call("GET", "/api/v1/leads");
    await logged(visitor, 1); // Entries of one millisecond have no order.
    const rejected = await visitor.call("GET", "/api/v1/leads?limit=500");
    await logged(visitor, 2);
    idOfRejected = rejected.headers.get("x-request-id") ?? "";
    await visitor.call("GET", `/api/v1/leads/${crypto.randomUUID()}`, undefined, {
      "x-request-id": "order-17",
    });
    await logged(visitor, 3);
    until = new Date(Date.now() + 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await asPlatform(fixture, visitor.organizationId)("PUT", "/tickets/crm-1", { subject: "Help" });
    await logged(visitor, 4);
  });

  const requests = {
    platform: ["PUT /api/platform/v1/organizations/{organization_id}/tickets/{external_id}", "200"],
    missing: ["GET /api/v1/leads/{id}", "404"],
    rejected: ["GET /api/v1/leads", "400"],
    list: ["GET /api/v1/leads", "200"],
  };
  const { platform, missing, rejected, list: ok } = requests;

  test.each<[query: () => Record<string, string>, found: string[][]]>([
    [() => ({}), [platform, missing, rejected, ok]],
    [
      () => ({ request_id: "", status: "", method: "", route: "", client_id: "", since: "", until: "" }),
      [platform, missing, rejected, ok],
    ],
    [() => ({ request_id: idOfRejected }), [rejected]],
    [() => ({ request_id: `${idOfRejected}0` }), []],
    [() => ({ request_id: idOfRejected, status: "2xx" }), []],
    [() => ({ status: "errors" }), [missing, rejected]],
    [() => ({ status: "4xx" }), [missing, rejected]],
    [() => ({ status: "5xx" }), []],
    [() => ({ status: "429" }), []],
    [() => ({ status: "2xx" }), [platform, ok]],
    [() => ({ method: "PUT" }), [platform]],
    [() => ({ route: "/api/v1/leads" }), [rejected, ok]],
    [() => ({ route: "/api/v1/unknown" }), []],
    [() => ({ client_id: "test-client" }), [missing, rejected, ok]],
    [() => ({ client_id: "other" }), []],
    [() => ({ until: until.toISOString() }), [missing, rejected, ok]],
    [() => ({ since: until.toISOString() }), [platform]],
    [() => ({ since: "0002-01-01T00:00", status: "2xx" }), [platform, ok]],
  ])("%s", async (query, found) => {
    expect(await shown(visitor, query())).toEqual(found);
  });

  test("shows app, request ID and the description of the error", async () => {
    const [row] = (await list(visitor, { request_id: idOfRejected })).rows(caption);
    expect(row?.slice(2)).toEqual([
      expect.stringMatching(/^400 \d+ ms invalid_request query\/limit must be an integer from 1 to 100/),
      "Test client",
      idOfRejected,
    ]);
    const [first, second] = (await list(visitor)).rows(caption);
    expect(first?.[3]).toBe("Platform API");
    expect(second?.[4]).toBe("order-17");
  });

  test("offers the statuses in their order, beginning with all", async () => {
    const { html } = await list(visitor);
    const select = /<select[^>]* name="status"[^>]*>([\s\S]*?)<\/select>/.exec(html)?.[1] ?? "";
    const values = [...select.matchAll(/value="([^"]*)"/g)].map(([, value]) => value);
    expect(values).toEqual(["", "errors", "2xx", "4xx", "429", "5xx"]);
  });

  test.each([{ status: "3xx" }, { method: "TRACE" }, { since: "soon" }, { cursor: "x" }])(
    "%o: an error page",
    async (query) => {
      const page = await list(visitor, query as unknown as Record<string, string>, 400);
      expect(page.text).toContain("invalid_request");
    },
  );

  test("without requests, says how long they are kept", async () => {
    expect((await list(await startVisitor(fixture))).text).toContain("are kept for 7 days");
  });
});

test("pages show each request once, also those of the same time", async () => {
  const visitor = await startVisitor(fixture);
  await visitor.call("GET", "/api/v1/me"); // Creates the partition of today.
  await logged(visitor, 1);
  const requestedAt = new Date(Date.now() - 1_000);
  const { organizationId } = visitor;
  const data = Array.from({ length: 60 }, (_, index) => ({
    id: crypto.randomUUID(),
    organizationId,
    requestedAt,
    method: "GET",
    route: "/api/v1/leads",
    statusCode: 200,
    durationMs: 1,
    requestId: `request-${index}`,
  }));
  await fixture.db.apiRequest.createMany({ data });
  const idsIn = (rows: string[][]) => rows.map((cells) => cells[4]);
  const first = await list(visitor, { route: "/api/v1/leads" });
  const second = await visitor.open(first.link("Older") ?? "");
  const found = [...idsIn(first.rows(caption)), ...idsIn(second.rows(caption))];
  expect(found).toHaveLength(60);
  expect(new Set(found)).toEqual(new Set(data.map(({ requestId }) => requestId)));
  expect(second.link("Older")).toBeUndefined();
});
