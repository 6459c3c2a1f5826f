/** Runs the commands of the page of a delivery in shells. */
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";
import { deliverLead } from "../testing/delivered-lead.ts";
import { startVisitor, type Visitor } from "../testing/visitor.ts";
import { type CreatedWebhook, createWebhook } from "../testing/webhook.ts";

let fixture: ConsoleFixture;
let visitor: Visitor;
let webhook: CreatedWebhook;
beforeAll(async () => {
  fixture = await startConsole();
  visitor = await startVisitor(fixture);
  webhook = await createWebhook(visitor, "https://receiver.example.com/hook?a='1'&b=2", {
    headers: "X-Api-Key: hidden-value",
  });
});
afterAll(() => fixture.close());

describe("“Verify it yourself”", () => {
  const shells = ["sh", "bash"];

  test.each([
    ["plain text", "Zoë"],
    ["quotes", `O'Brien "Bob" \`id\` $HOME $(id) !! \\ \\' %s %d`],
    ["line breaks", "one\ntwo\r\nthree\ttab\\n"],
    ["emoji", "🦊👩‍👩‍👧‍👦 ﷽ \u202e"],
    ["HTML", `<script>&amp;"'</script>`],
  ])("the commands compute the signatures of a body with %s", async (_, name) => {
    const { path, event, id } = await deliverLead(fixture.db, visitor, webhook, name);
    const page = await visitor.open(path);
    const headers: Record<string, string> = Object.fromEntries(page.rows("Request headers of attempt 2"));
    const [openssl, standard, curl] = page.code.slice(-3) as [string, string, string];
    expect(page.code.at(-4)).toBe(`${headers["x-parley-timestamp"]}.${event.body}`);
    const withSecret = openssl.replace("parley_ws_…", webhook.secret);
    for (const shell of shells) {
      const run = (script: string) => execFileSync(shell, ["-c", script], { encoding: "utf8" }).trim();
      expect([shell, run(withSecret)]).toEqual([shell, headers["x-parley-signature"]]);
      const [secret] = withSecret.split("\n");
      expect([shell, run(`${secret}\n${standard}`)]).toEqual([shell, headers["webhook-signature"]]);
      // Prints each argument of curl on its own, instead of sending the request.
      const printed = execFileSync(shell, ["-c", `curl() { printf '%s\\0' "$@"; }\n${curl}`], {
        encoding: "utf8",
      });
      const [, url, ...others] = printed.split("\0").slice(0, -1);
      expect(url).toBe("https://receiver.example.com/hook?a='1'&b=2");
      expect(others.slice(-2)).toEqual(["--data-binary", event.body]);
      const sent = others.slice(0, -2).filter((argument) => argument !== "-H");
      expect(sent).toEqual(Object.entries(headers).map(([header, value]) => `${header}: ${value}`));
    }
    expect(headers["webhook-id"]).toBe(id);
  });
});
