import { conformingFetch } from "@parley/contract/testing";
import { demo as demoAccounts } from "@parley/database";
import { createPkce } from "@parley/sdk";
import { allowAccess, type Demo, startDemo } from "@parley/standalone/testing";
import type { INode, INodeTypes } from "n8n-workflow";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LoadedPackage, loadPackage, n8n } from "./built-package.ts";

let demo: Demo;
let nodes: LoadedPackage;
beforeAll(async () => {
  [demo, nodes] = await Promise.all([startDemo(), loadPackage()]);
});
afterAll(async () => {
  nodes.remove();
  await demo.stop();
});

const fetch = conformingFetch();
const redirect_uri = "http://127.0.0.1:5678/callback";

/** Returns the credential's fields. n8n resolves their expressions. */
function resolved(baseUrl: string): Record<string, string> {
  const { properties } = nodes.credential;
  const data = { ...Object.fromEntries(properties.map((each) => [each.name, each.default])), baseUrl };
  const node: INode = {
    id: "1",
    name: "mock",
    typeVersion: 1,
    type: "mock",
    position: [0, 0],
    parameters: {},
  };
  const nodeTypes = { getByNameAndVersion: () => nodes.parley } as unknown as INodeTypes;
  const workflow = new n8n.Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
  return workflow.expression.getComplexParameterValue(
    node,
    data as never,
    "internal",
    {},
    undefined,
    undefined,
    data as never,
  ) as Record<string, string>;
}

/** Requests tokens like n8n's OAuth client: with a form, and the client's credentials in the header. */
async function requestTokens(url: string, fields: Record<string, string>) {
  const { clientId, clientSecret } = demoAccounts;
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
  const body = new URLSearchParams(fields);
  const response = await fetch(url, { method: "POST", headers: { authorization }, body });
  expect(response.status).toBe(200);
  return (await response.json()) as { access_token: string; refresh_token: string; scope: string };
}

test.each(["", "/"])("n8n's PKCE flow gets and refreshes tokens (base URL ends with '%s')", async (slash) => {
  expect(nodes.credential.extends).toEqual(["oAuth2Api"]);
  const {
    authUrl = "",
    accessTokenUrl = "",
    scope = "",
    grantType,
    authentication,
  } = resolved(`${demo.url}${slash}`);
  expect({ grantType, authentication }).toEqual({ grantType: "pkce", authentication: "header" });

  const { codeVerifier, codeChallenge } = await createPkce();
  const page = new URL(authUrl);
  page.search = new URLSearchParams({
    client_id: demoAccounts.clientId,
    redirect_uri,
    response_type: "code",
    state: "csrf",
    scope,
    code_challenge: codeChallenge,
    code_challenge_method: "S256",
  }).toString();
  const code = (await allowAccess(page.href, fetch)).searchParams.get("code") ?? "";

  const grant = { grant_type: "authorization_code", code, redirect_uri, code_verifier: codeVerifier };
  const tokens = await requestTokens(accessTokenUrl, grant);
  expect(tokens.scope).toBe(scope);
  const { refresh_token } = tokens;
  const refreshed = await requestTokens(accessTokenUrl, { grant_type: "refresh_token", refresh_token });
  expect(refreshed.refresh_token).not.toBe(refresh_token);
});

test("requests every scope", async () => {
  const { scopeMeanings } = await import("@parley/contract");
  expect(resolved(demo.url)["scope"]?.split(" ")).toEqual(Object.keys(scopeMeanings));
});
