import { describe, expect, it, vi } from "vitest";
import { isFiltered, isSearch, SearchLimit } from "./search-limit.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A search that runs until it is ended. */
function startSearches(limit: SearchLimit, organizationId: string, count: number) {
  const started: (() => void)[] = [];
  const results = Array.from({ length: count }, () =>
    limit.run(organizationId, () => new Promise<void>((resolve) => void started.push(resolve))),
  );
  return { started, results };
}

describe("SearchLimit", () => {
  it("runs the next search of an organization when one ends", async () => {
    const { started, results } = startSearches(new SearchLimit(2), "a", 4);
    await settled();
    expect(started).toHaveLength(2);
    started[0]?.();
    await settled();
    expect(started).toHaveLength(3);
    for (let i = 1; i < 4; i += 1) {
      started[i]?.();
      await settled();
    }
    await Promise.all(results);
  });

  it("does not let organizations wait for each other", async () => {
    const limit = new SearchLimit(1);
    const busy = startSearches(limit, "a", 2);
    const { started } = startSearches(limit, "b", 1);
    await settled();
    expect(started).toHaveLength(1);
    for (const end of busy.started) end();
    await settled();
    busy.started[1]?.(); // Otherwise, it is refused after two seconds, during another test.
    await Promise.all(busy.results);
  });

  it("responds with 429 after two seconds, and immediately if too many wait", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const limit = new SearchLimit(1);
    const { results } = startSearches(limit, "a", 6);
    const refused = {
      status: 429,
      code: "rate_limit_exceeded",
      message:
        "Rate limit exceeded: the organization runs 1 searches at the same time. Retry after 60 seconds.",
      headers: { "retry-after": "1" },
    };
    await expect(results[5]).rejects.toMatchObject(refused);
    const late = Promise.allSettled(results.slice(1, 5));
    vi.advanceTimersByTime(2_000);
    const reasons = (await late).map((result) => (result.status === "rejected" ? result.reason : undefined));
    expect(reasons).toMatchObject([refused, refused, refused, refused]);
    vi.useRealTimers();
  });

  it("ends the search that failed", async () => {
    const limit = new SearchLimit(1);
    await expect(limit.run("a", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect(await limit.run("a", () => "result")).toBe("result");
  });

  it("runs everything without a limit", async () => {
    const { started } = startSearches(new SearchLimit(0), "a", 100);
    await settled();
    expect(started).toHaveLength(100);
  });
});

describe("isSearch", () => {
  it.each([
    [{ q: "ada" }, true],
    [{ offset: 1_000 }, true],
    [{ offset: 999 }, false],
    [{ since: "2026-01-01T00:00:00Z" }, false],
    [{ since: "2026-01-01T00:00:00Z", updated_before: "2026-02-01T00:00:00Z" }, true],
    [{ created_after: "2026-01-01T00:00:00Z", created_before: "2026-02-01T00:00:00Z" }, true],
    [{ status: "new", limit: 100 }, false],
  ])("of %j is %s", (query, expected) => {
    expect(isSearch({ method: "GET", query })).toBe(expected);
  });

  it("is false for other methods", () => {
    expect(isSearch({ method: "POST", query: { q: "ada" } })).toBe(false);
  });
});

describe("isFiltered", () => {
  it("is true for a page with a filter, and not for its position or question", () => {
    expect(
      [{}, { cursor: "x" }, { confirm: "delete" }, { status: "exhausted" }].map((query) =>
        isFiltered({ query }),
      ),
    ).toEqual([false, false, false, true]);
  });
});
