import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { type Attack, outcome, outcomes, testAttacks } from "../testing/attacks.ts";
import type { TestBrowser } from "../testing/browser.ts";
import { locationOf, type OAuthFixture } from "../testing/fixture.ts";

/** Registered is `https://app.example.com/callback?tenant=7`. The form's token is right: all but the URI would do. */
const attempt = (uri: string) => async (fixture: OAuthFixture) => {
  const browser = await fixture.signedIn();
  const csrf_token = await browser.csrfToken(fixture.page());
  return outcomes([
    browser.get(fixture.page({ redirect_uri: uri })),
    browser.post(fixture.page({ redirect_uri: uri }), { csrf_token, action: "allow" }),
    browser.get(fixture.page({ redirect_uri: uri, scope: "cats:pet" })), // An error must not go there either.
  ]);
};

const refused: Attack[] = [
  ["another host", "https://evil.example.com/callback?tenant=7"],
  ["another case of the host", "https://APP.example.com/callback?tenant=7"],
  ["another case of the path", "https://app.example.com/Callback?tenant=7"],
  ["another case of the scheme", "HTTPS://app.example.com/callback?tenant=7"],
  ["http instead of https", "http://app.example.com/callback?tenant=7"],
  ["the default port written out", "https://app.example.com:443/callback?tenant=7"],
  ["another port", "https://app.example.com:8443/callback?tenant=7"],
  ["a subdomain", "https://x.app.example.com/callback?tenant=7"],
  ["the host as part of another", "https://app.example.com.evil.example/callback?tenant=7"],
  ["a dot after the host", "https://app.example.com./callback?tenant=7"],
  ["the host as user of another", "https://app.example.com@evil.example/callback?tenant=7"],
  ["a user before the host", "https://user:pass@app.example.com/callback?tenant=7"],
  [
    "a backslash, which browsers take for a slash",
    "https://evil.example\\@app.example.com/callback?tenant=7",
  ],
  ["a longer path", "https://app.example.com/callback/../open-redirect?tenant=7"],
  ["encoded dots", "https://app.example.com/callback/%2e%2e/open-redirect?tenant=7"],
  ["an encoded letter", "https://app.example.com/%63allback?tenant=7"],
  ["an encoded slash", "https://app.example.com%2Fcallback?tenant=7"],
  ["two slashes", "https://app.example.com//callback?tenant=7"],
  ["a path parameter", "https://app.example.com/callback;x?tenant=7"],
  ["no query", "https://app.example.com/callback"],
  ["more query", "https://app.example.com/callback?tenant=7&next=https://evil.example"],
  ["another query", "https://app.example.com/callback?tenant=8"],
  ["a fragment", "https://app.example.com/callback?tenant=7#x"],
  ["an empty fragment", "https://app.example.com/callback?tenant=7#"],
  ["a space after", "https://app.example.com/callback?tenant=7 "],
  ["a tab within", "https://app.exam\tple.com/callback?tenant=7"],
  ["a line break and a header", "https://app.example.com/callback?tenant=7\r\nSet-Cookie: a=b"],
  ["a letter that looks the same", "https://аpp.example.com/callback?tenant=7"],
  ["no scheme", "//app.example.com/callback?tenant=7"],
  ["a script", "javascript:alert(1)//app.example.com/callback?tenant=7"],
  ["data", "data:text/html,<script>alert(1)</script>"],
  ["a file", "file:///etc/passwd"],
  ["a wildcard", "https://*.example.com/callback?tenant=7"],
  ["https on the loopback address", "https://127.0.0.1/callback"],
  ["another loopback address", "http://127.0.0.2/callback"],
  ["the loopback address as a number", "http://2130706433/callback"],
  ["the loopback address as user", "http://127.0.0.1:80@evil.example/callback"],
  ["localhost as part of a host", "http://localhost.evil.example:3000/callback"],
  ["an invalid port", "http://127.0.0.1:99999/callback"],
  ["another client's", "https://second.example.com/callback"],
  ["as long as a request line can be", `https://app.example.com/callback?tenant=7${"x".repeat(8_000)}`],
].map(([name = "", uri = ""]): Attack => [`redirect_uri: ${name}`, "400 page", attempt(uri)]);

/** Posts a form to a server with a whole address as the request line's target, as to a proxy. */
async function postTo(server: string, target: string, browser: TestBrowser, fields: Record<string, string>) {
  const { hostname, port } = new URL(server);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, "content-type": "application/x-www-form-urlencoded" };
  const request = httpRequest({ hostname, port, method: "POST", path: target, headers });
  request.end(new URLSearchParams(fields).toString());
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.resume();
  return { status: response.statusCode, location: response.headers.location };
}

const attacks: Attack[] = [
  ...refused,
  [
    "redirect_uri twice, or as a list",
    "400 page",
    async (fixture) => {
      const browser = await fixture.signedIn();
      const more = ["redirect_uri=https%3A%2F%2Fevil.example", "redirect_uri="];
      const list = fixture.page({ redirect_uri: null, "redirect_uri[]": "https://evil.example" });
      return outcomes([...more.map((text) => browser.get(`${fixture.page()}&${text}`)), browser.get(list)]);
    },
  ],
  [
    "client_id twice: one to be shown, another to be redirected to",
    "400 page",
    async (fixture) =>
      outcome(await (await fixture.signedIn()).get(`${fixture.page()}&client_id=second-client`)),
  ],
  [
    "an open redirector: an unknown client with any redirect_uri",
    "400 page",
    async (fixture) =>
      outcomes([
        (await fixture.signedIn()).get(
          fixture.page({ client_id: "nobody", redirect_uri: "https://evil.example" }),
        ),
        (await fixture.signedIn()).get(fixture.page({ client_id: "", redirect_uri: "https://evil.example" })),
      ]),
  ],
  [
    "state, scope and response_type twice (parameter pollution)",
    "302 app.example.com invalid_request",
    async (fixture) => {
      const browser = await fixture.signedIn();
      const twice = [
        "state=x",
        "scope=leads:write",
        "response_type=token",
        "code_challenge=x&code_challenge=y",
      ];
      return outcomes(twice.map((text) => browser.get(`${fixture.page()}&${text}`)));
    },
  ],
  [
    "response types that return tokens in the URL",
    "302 app.example.com unsupported_response_type",
    async (fixture) => {
      const browser = await fixture.signedIn();
      const types = ["token", "id_token", "code token", "none", "CODE"];
      return outcomes(types.map((response_type) => browser.get(fixture.page({ response_type }))));
    },
  ],
  [
    "a request object and other extensions, which are not supported, change nothing",
    "200 page",
    async (fixture) => {
      const query =
        "request=eyJ&request_uri=https://evil.example&response_mode=fragment&prompt=none&allowed=false";
      return outcome(await (await fixture.signedIn()).get(`${fixture.page()}&${query}`));
    },
  ],
  [
    "mix-up: the response names the authorization server that sent it, with a code and with an error",
    "the issuer of the metadata, three times",
    async (fixture) => {
      const browser = await fixture.signedIn();
      const responses = [
        await browser.press("allow", fixture.page()),
        await browser.press("deny", fixture.page()),
        await browser.get(fixture.page({ scope: "cats:pet" })),
      ];
      const found = new Set(responses.map((response) => locationOf(response).searchParams.get("iss")));
      const metadata = await fixture.fetch(`${fixture.url}/.well-known/oauth-authorization-server`);
      const { issuer } = (await metadata.json()) as { issuer: string };
      return found.size === 1 && found.has(issuer) ? "the issuer of the metadata, three times" : "another";
    },
  ],
  [
    "mix-up: the client's own iss, code and error in the query of the request are not repeated",
    "one iss, one code, no error",
    async (fixture) => {
      const response = await (await fixture.signedIn()).press(
        "allow",
        `${fixture.page()}&iss=https://evil.example&code=planted&error=planted`,
      );
      const { searchParams: found } = locationOf(response);
      const [iss, code] = [found.getAll("iss"), found.getAll("code")];
      return `${iss.join() === fixture.url ? "one" : iss.join()} iss, ${code.length === 1 && code[0] !== "planted" ? "one" : code.join()} code, ${found.has("error") ? "an" : "no"} error`;
    },
  ],
  [
    "state with characters of queries and headers is returned percent-encoded",
    "as it was",
    async (fixture) => {
      const state = "x&code=planted&iss=evil#fragment\r\nSet-Cookie: a=b";
      const response = await (await fixture.signedIn()).press("allow", fixture.page({ state }));
      const { searchParams: found, hash } = locationOf(response);
      const whole = found.get("state") === state && found.getAll("code").length === 1 && hash === "";
      return whole && !response.headers.getSetCookie().join().includes("a=b")
        ? "as it was"
        : (response.headers.get("location") ?? "");
    },
  ],
  [
    "the response to the form is a 303, so that no browser sends the password on to the client",
    "303, 303",
    async (fixture) => {
      const browser = await fixture.signedIn();
      const responses = [
        await browser.press("allow", fixture.page()),
        await browser.press("deny", fixture.page()),
      ];
      return responses.map(({ status }) => status).join(", ");
    },
  ],
  [
    "an absolute request target with another host: the page redirects to itself",
    "303 here",
    async (fixture) => {
      const browser = await fixture.signedIn();
      const csrf_token = await browser.csrfToken(fixture.page());
      const target = fixture.page().replace(fixture.url, "http://evil.example");
      const { status, location } = await postTo(fixture.url, target, browser, {
        csrf_token,
        action: "sign_out",
      });
      return location === fixture.page().slice(fixture.url.length)
        ? `${status} here`
        : `${status} ${location}`;
    },
  ],
];

testAttacks(attacks);
