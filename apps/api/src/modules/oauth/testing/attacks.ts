import { afterAll, beforeAll, expect, test } from "vitest";
import { locationOf, type Scene, startScene } from "./fixture.ts";

/** What is tried, how it must end, and the trying. */
export type Attack = [attack: string, answer: string, run: (scene: Scene) => Promise<string>];

/** One test for each attack, all against one server. */
export function testAttacks(attacks: Attack[]): void {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());
  test.each(attacks)("%s: %s", async (_attack, answer, run) => {
    expect(await run(scene)).toBe(answer);
  });
}

/**
 * An answer in words: `400 invalid_grant`, `200 ok`, `400 page` for one that the user reads here, `303 here` for a redirect to
 * the page itself, `302 app.example.com invalid_scope` or `303 app.example.com code` for one to the client.
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

/** Several answers: one where all are the same, else each of them in its place. */
export async function outcomes(responses: Promise<Response>[]): Promise<string> {
  const all = await Promise.all(responses.map(async (response) => outcome(await response)));
  return (new Set(all).size === 1 ? all.slice(0, 1) : all).join(", ");
}
