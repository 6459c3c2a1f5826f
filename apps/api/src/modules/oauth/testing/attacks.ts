import { afterAll, beforeAll, expect, test } from "vitest";
import { locationOf, type OAuthFixture, startOAuthFixture } from "./fixture.ts";

/** Description, expected outcome, and the attack itself. */
export type Attack = [attack: string, response: string, run: (fixture: OAuthFixture) => Promise<string>];

/** Declares a test for each attack, all against one server. */
export function testAttacks(attacks: Attack[]): void {
  let fixture: OAuthFixture;
  beforeAll(async () => {
    fixture = await startOAuthFixture();
  });
  afterAll(() => fixture.close());
  test.each(attacks)("%s: %s", async (_attack, outcome, run) => {
    expect(await run(fixture)).toBe(outcome);
  });
}

/**
 * Describes a response: `400 invalid_grant`, `200 ok`, `400 page` for an error page, `303 here` for a redirect to the page
 * itself. `302 app.example.com invalid_scope` or `303 app.example.com code` for a redirect to the client.
 */
export async function outcome(response: Response): Promise<string> {
  const { status, headers } = response;
  if (headers.has("location")) {
    const { host, searchParams } = locationOf(response);
    if (host === new URL(response.url).host) return `${status} here`;
    return `${status} ${host} ${searchParams.get("error") ?? (searchParams.has("code") ? "code" : "nothing")}`;
  }
  if (headers.get("content-type")?.startsWith("text/html")) return `${status} page`;
  const text = await response.text();
  return `${status} ${text === "" ? "ok" : ((JSON.parse(text) as { error?: string }).error ?? "ok")}`;
}

/** Describes several responses: once if all are the same, else each in order. */
export async function outcomes(responses: Promise<Response>[]): Promise<string> {
  const all = await Promise.all(responses.map(async (response) => outcome(await response)));
  return (new Set(all).size === 1 ? all.slice(0, 1) : all).join(", ");
}
