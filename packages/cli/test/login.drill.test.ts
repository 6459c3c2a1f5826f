import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { TestBrowser } from "@parley/api/testing";
import { conformingFetch } from "@parley/contract/testing";
import { allowAccess, type Demo, startDemo } from "@parley/standalone/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { commandLine, type TestCommandLine } from "./support/command-line.ts";

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.stop());

const address = /^ {2}(http\S+)$/m;

async function signIn(cli: TestCommandLine, ...options: string[]): Promise<string> {
  const login = cli.start("login", demo.url, "--no-browser", ...options);
  const [, page = ""] = await login.output(address);
  const redirect = await allowAccess(page);
  const response = await fetch(redirect);
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringContaining("You are signed in."),
  ]);
  const { code, stdout } = await login.ended();
  expect([code, stdout]).toEqual([0, `Signed in to Pro Properties at ${demo.url} as pro@demo.parley.dev.\n`]);
  return page;
}

const tokensFile = (cli: TestCommandLine) =>
  join(cli.folder, "servers", encodeURIComponent(demo.url), "tokens.json");
const tokensOf = (cli: TestCommandLine) => JSON.parse(readFileSync(tokensFile(cli), "utf8"));
const statusOf = async (token: string) =>
  (await fetch(`${demo.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status;

test("signs in through the browser, and stores tokens that only the user can read", async () => {
  const cli = commandLine();
  const page = new URL(await signIn(cli));
  expect(Object.fromEntries(page.searchParams)).toMatchObject({
    client_id: "parley-cli",
    scope: "leads:read conversations:read tickets:read meetings:read webhooks:manage",
    code_challenge_method: "S256",
  });
  expect(statSync(tokensFile(cli)).mode & 0o777).toBe(0o600);
  expect(statSync(join(cli.folder, "servers")).mode & 0o777).toBe(0o700);
  const me = await cli.run("me", "--json");
  expect(JSON.parse(me.stdout).data.attributes.client).toMatchObject({
    id: "parley-cli",
    name: "Parley CLI",
  });
});

test("requests the scopes that change records with --write", async () => {
  const page = new URL(await signIn(commandLine(), "--write"));
  expect(page.searchParams.get("scope")).toContain("leads:write");
});

test("accepts the pasted address of the redirect, and rejects other lines", async () => {
  const cli = commandLine();
  const login = cli.start("login", demo.url, "--no-browser");
  const [, page = ""] = await login.output(address);
  login.child.stdin.write("what?\n");
  await login.output(/That is not the address of the redirect/);
  login.child.stdin.write(`${(await allowAccess(page)).href}\n`);
  expect((await login.ended()).code).toBe(0);
  expect((await cli.run("me")).code).toBe(0);
});

test("refreshes an expired token, and stores the new pair", async () => {
  const cli = commandLine();
  await signIn(cli);
  const tokens = tokensOf(cli);
  writeFileSync(tokensFile(cli), JSON.stringify({ ...tokens, expiresAt: Date.now() }));
  expect((await cli.run("me")).code).toBe(0);
  expect(tokensOf(cli).accessToken).not.toBe(tokens.accessToken);
  expect(await statusOf(tokensOf(cli).accessToken)).toBe(200);
});

test("logout revokes the tokens and removes them", async () => {
  const cli = commandLine();
  await signIn(cli);
  const { accessToken } = tokensOf(cli);
  expect(await cli.run("logout")).toEqual({ code: 0, stdout: `Signed out of ${demo.url}.\n`, stderr: "" });
  await expect.poll(() => statusOf(accessToken), { timeout: 10_000 }).toBe(401);
  const { code, stderr } = await cli.run("me");
  expect([code, stderr]).toEqual([1, expect.stringContaining(`Run \`parley login ${demo.url}\``)]);
  expect((await cli.run("logout")).code).toBe(0);
});

test("says what to do when the grant was revoked", async () => {
  const cli = commandLine();
  await signIn(cli);
  const { refreshToken } = tokensOf(cli);
  await fetch(`${demo.url}/api/oauth/revoke`, {
    method: "POST",
    body: new URLSearchParams({ client_id: "parley-cli", token: refreshToken }),
  });
  await expect
    .poll(async () => (await cli.run("me")).stderr, { timeout: 20_000 })
    .toContain("Sign in again: parley login");
});

test("fails when the user denies access, and shows it in the browser", async () => {
  const cli = commandLine();
  const login = cli.start("login", demo.url, "--no-browser");
  const [, page = ""] = await login.output(address);
  const browser = new TestBrowser(conformingFetch());
  await browser.press("sign_in", page, { email: "pro@demo.parley.dev", password: "parley-demo" });
  const denied = await browser.press("deny", page);
  const response = await fetch(denied.headers.get("location") ?? "");
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining("You are not signed in."),
  ]);
  const { code, stderr } = await login.ended();
  expect([code, stderr]).toEqual([1, expect.stringContaining("The user denied access.")]);
});

test("ignores redirects and addresses of others, and continues", async () => {
  const cli = commandLine();
  const login = cli.start("login", demo.url, "--no-browser");
  const [, page = ""] = await login.output(address);
  const redirect = await allowAccess(page);
  const forged = new URL(redirect);
  forged.searchParams.set("state", "other");
  expect((await fetch(forged)).status).toBe(400);
  login.child.stdin.write(`${page}\n`);
  await login.output(/That is not the address of the redirect/);
  expect(existsSync(tokensFile(cli))).toBe(false);
  expect((await fetch(redirect)).status).toBe(200);
  expect((await login.ended()).code).toBe(0);
});

test("ends although the browser keeps a connection open", async () => {
  const login = commandLine().start("login", demo.url, "--no-browser");
  const [, page = ""] = await login.output(address);
  const redirect = await allowAccess(page);
  const socket = connect(Number(redirect.port), redirect.hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  await fetch(redirect);
  expect((await login.ended()).code).toBe(0);
});

test("shows no success when the tokens cannot be stored", async () => {
  const cli = commandLine({ PARLEY_CONFIG_DIR: "/dev/null/parley" });
  const login = cli.start("login", demo.url, "--no-browser");
  const [, page = ""] = await login.output(address);
  expect((await fetch(await allowAccess(page))).status).toBe(400);
  const { code, stderr } = await login.ended();
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("Set PARLEY_CONFIG_DIR to a folder of your user."),
  ]);
});

test("never prints a token, code or secret", async () => {
  const cli = commandLine({ LOG_LEVEL: "debug" });
  const login = cli.start("login", demo.url, "--no-browser", "--json");
  const [, page = ""] = await login.output(address);
  await fetch(await allowAccess(page));
  const outcomes = [await login.ended(), await cli.run("me"), await cli.run("leads", "get", "none")];
  const printed = outcomes.map(({ stdout, stderr }) => stdout + stderr).join("");
  const { accessToken, refreshToken } = tokensOf(cli);
  for (const secret of [accessToken, refreshToken, "parley_ac_", "parley_at_", "parley_rt_"]) {
    expect(printed).not.toContain(secret);
  }
});

/** Starts a server that responds to every request with this metadata. */
async function serveMetadata(metadata: (url: string) => object): Promise<string> {
  const server = createServer((_request, response) => response.end(JSON.stringify(metadata(url))));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return url;
}

test.each([
  ["another server", () => demo.url],
  ["the same address with a slash", (url: string) => `${url}/`],
])("rejects metadata of %s, and opens no page", async (_name, issuerOf) => {
  const url = await serveMetadata((own) => ({ issuer: issuerOf(own), scopes_supported: ["leads:read"] }));
  const issuer = issuerOf(url);
  expect(await commandLine().run("login", url)).toMatchObject({
    code: 1,
    stdout: "",
    stderr: `error: The server at ${url} says that its address is ${issuer}. If you trust that address, use it: parley login ${issuer}\n`,
  });
});

test("what a server says cannot control the terminal", async () => {
  const url = await serveMetadata(() => ({ issuer: "\u001B]0;title\u0007\u009B2J", scopes_supported: [] }));
  const { stderr } = await commandLine().run("login", url);
  expect(stderr).toContain("address is \\u001b]0;title\\u0007\\u009b2J");
});

test("explains that an address is wrong", async () => {
  const other = createServer((_request, response) => response.end("<html>")).listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const cli = commandLine();
  expect(await cli.run("login", url)).toMatchObject({
    code: 1,
    stderr: `error: ${url} is not a Parley server. Name another: parley login https://parley.example.com\n`,
  });
  expect((await cli.run("login", "http://127.0.0.1:9")).stderr).toMatch(/No server responds at .* Start it/);
  expect(await cli.run("login", "parley.example.com")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'must be a URL such as https://parley.example.com (received "parley.example.com")',
    ),
  });
});
