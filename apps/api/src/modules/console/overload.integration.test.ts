import { expect, test, vi } from "vitest";
import { startConsole } from "./testing/console.ts";
import { startVisitor } from "./testing/visitor.ts";

test("a busy server refuses pages and forms of an organization with many requests in flight, and of no other", async () => {
  const fixture = await startConsole({ MAX_REQUESTS_IN_FLIGHT: "3" });
  const [visitor, other] = [await startVisitor(fixture), await startVisitor(fixture)];
  const form = await visitor.open("/console/webhooks/new");
  const release = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = fixture.db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT FROM organizations WHERE id = ${visitor.organizationId}::uuid FOR UPDATE`;
      held.resolve();
      await release.promise;
    },
    { timeout: 60_000 },
  );
  await held.promise;
  const wanted = { target_url: "https://hooks.example.com/", event_types: ["*"] };
  const waiting = [1, 2, 3].map(() => visitor.call("POST", "/api/v1/webhooks/subscribe", wanted));
  try {
    await vi.waitFor(() => expect(visitor.open("/console")).rejects.toThrow("503"), { timeout: 20_000 });
    await expect(
      visitor.submit(form, "save", { target_url: "https://x.example.com/", types: "all" }),
    ).rejects.toThrow("503");
    expect((await other.open("/console")).text).toContain("Overview");
  } finally {
    release.resolve();
    await Promise.all([holding, ...waiting]);
    await fixture.close();
  }
});
