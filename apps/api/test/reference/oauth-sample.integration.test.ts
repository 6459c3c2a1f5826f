/** Runs the program of the chapter "Authorize users" against the server. */
import { sampleOf } from "@parley/docs/chapters";
import type { GrantedTokens, Parley } from "@parley/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { client, type OAuthFixture, startOAuthFixture } from "../../src/modules/oauth/testing/fixture.ts";
import { programFolder } from "./run.ts";

interface Session {
  state: string;
  codeVerifier: string;
}

interface Program {
  begin(): Promise<{ address: string; session: Session }>;
  finish(url: string, session: Session, store: (tokens: GrantedTokens) => Promise<void>): Promise<Parley>;
}

let fixture: OAuthFixture;
let program: Program;
const programs = programFolder();

beforeAll(async () => {
  fixture = await startOAuthFixture();
  const source = sampleOf({ chapter: "authentication", language: "ts" })
    .replaceAll("http://127.0.0.1:8080", fixture.url)
    .replace("demo-client", client.client_id)
    .replace("demo-secret", client.client_secret);
  program = (await programs.run("oauth", source)) as Program;
});
afterAll(async () => {
  programs.remove();
  await fixture.close();
});

/** Presses a button of the authorization page, and returns the redirect and the session. */
async function authorize(button: "allow" | "deny"): Promise<{ url: string; session: Session }> {
  const { address, session } = await program.begin();
  const response = await (await fixture.signedIn()).press(button, address);
  return { url: response.headers.get("location") ?? "", session };
}

test("authorizes a user, stores the tokens and calls the API", async () => {
  const { url, session } = await authorize("allow");
  const stored: GrantedTokens[] = [];
  const parley = await program.finish(url, session, async (tokens) => void stored.push(tokens));
  expect((await parley.me()).data.id).toBe(fixture.organizationId);
  expect(stored).toMatchObject([{ scopes: ["leads:read", "webhooks:manage"], apiBaseUrl: fixture.url }]);
});

test("rejects if the user denies access, or the redirect is for another session", async () => {
  const store = async () => expect.unreachable();
  const denied = await authorize("deny");
  const denial = { name: "AuthorizationError", code: "access_denied" };
  await expect(program.finish(denied.url, denied.session, store)).rejects.toMatchObject(denial);
  const allowed = await authorize("allow");
  const mismatch = { name: "AuthorizationError", code: "state_mismatch" };
  await expect(program.finish(allowed.url, denied.session, store)).rejects.toMatchObject(mismatch);
});
