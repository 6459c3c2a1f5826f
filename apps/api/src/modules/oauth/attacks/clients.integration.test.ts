import { hashToken } from "@parley/database";
import { type Attack, outcome, outcomes, testAttacks } from "../testing/attacks.ts";
import {
  basic,
  client,
  form,
  json,
  type OAuthFixture,
  pkce,
  publicClient,
  register,
  secondClient,
} from "../testing/fixture.ts";

const grant = { grant_type: "refresh_token", refresh_token: "x" };
const tokenUrl = ({ url }: OAuthFixture) => `${url}/api/oauth/token`;
const send = (fixture: OAuthFixture, init: RequestInit, query = "") =>
  fixture.fetch(tokenUrl(fixture) + query, init);
const raw = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });

/** Returns a raw form body that no library would send. */
const text = (body: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body,
});

const attacks: Attack[] = [
  [
    "HTTP Basic and another client in the body",
    "400 invalid_request",
    (fixture) =>
      outcomes(
        [{ client_id: "protocol-client" }, client, publicClient].map((fields) =>
          send(fixture, json({ ...grant, ...fields }, basic(secondClient))),
        ),
      ),
  ],
  [
    "HTTP Basic and a secret in the body (RFC 6749 section 2.3), the same or another",
    "400 invalid_request",
    (fixture) => {
      const { client_secret } = secondClient;
      const bodies = [secondClient, { client_secret }, { client_secret: "x" }];
      return outcomes(
        [tokenUrl(fixture), `${fixture.url}/api/oauth/revoke`].flatMap((url) =>
          bodies.flatMap((fields) => {
            const body = { ...grant, token: "x", ...fields };
            return [basic(secondClient), raw("second-client:wrong"), raw("nonsense")].flatMap((headers) => [
              fixture.fetch(url, json(body, headers)),
              fixture.fetch(url, { ...form(body), headers }),
            ]);
          }),
        ),
      );
    },
  ],
  [
    "a colon, percent, plus and letters beyond ASCII in the credentials, form-encoded in Basic",
    "400 invalid_grant",
    async (fixture) => {
      const odd = { client_id: "o:d+cl%ient", client_secret: "p:ä%+ 🙂&=" };
      await register(fixture.db, odd, []);
      return outcomes([
        send(fixture, json(grant, basic(odd))),
        send(fixture, json({ ...grant, ...odd })),
        send(fixture, form({ ...grant, ...odd })),
      ]);
    },
  ],
  [
    "the same in Basic without the encoding that RFC 6749 section 2.3.1 asks for",
    "401 invalid_client",
    (fixture) => send(fixture, json(grant, raw("o:d+cl%ient:p:ä%+ 🙂&="))).then(outcome),
  ],
  [
    "malformed HTTP Basic",
    "401 invalid_client",
    (fixture) =>
      outcomes(
        ["second-client", ":another-secret", "second-client:%zz", "a%00b:c", "\0:\0", "", "::::"].map(
          (pair) => send(fixture, json(grant, raw(pair))),
        ),
      ),
  ],
  [
    "correct credentials in lenient Base64, in malformed percent-encoding, and with a letter beyond ASCII",
    "401 invalid_client",
    (fixture) => {
      const encoded = btoa(`${secondClient.client_id}:${secondClient.client_secret}`);
      const lenient = [
        `${encoded.slice(0, 8)}!${encoded.slice(8)}`,
        `${encoded}====`,
        `${encoded.slice(0, 4)} ${encoded.slice(4)}`,
      ];
      const pair = `${secondClient.client_id}:${secondClient.client_secret}`;
      return outcomes([
        ...lenient.map((text) => send(fixture, json(grant, { authorization: `Basic ${text}` }))),
        ...[`${pair}%`, `${pair}%2`, `${pair}ä`].map((text) => send(fixture, json(grant, raw(text)))),
      ]);
    },
  ],
  [
    "credentials in the query (RFC 6749 section 2.3.1 forbids it), first only there, then also with valid credentials of another client in the body",
    "400 invalid_request, 400 invalid_grant",
    async (fixture) => {
      const query = `?${new URLSearchParams(client)}`;
      const alone = await outcome(await send(fixture, form(grant), query));
      return `${alone}, ${await outcome(await send(fixture, form({ ...grant, ...secondClient }), query))}`;
    },
  ],
  [
    "the whole token request in the query",
    "415 invalid_request",
    async (fixture) => {
      const query = `?${new URLSearchParams({ ...grant, ...client })}`;
      return outcome(await send(fixture, { method: "POST" }, query));
    },
  ],
  [
    "a token request by GET, whose URL would be logged",
    "405 invalid_request",
    async (fixture) => {
      const query = `?${new URLSearchParams({ ...grant, ...client })}`;
      return outcome(await send(fixture, {}, query));
    },
  ],
  [
    "parameters twice in a form",
    "400 invalid_request",
    (fixture) => {
      const whole = new URLSearchParams({ ...grant, ...client, scope: "leads:read" }).toString();
      const names = ["grant_type", "refresh_token", "client_id", "client_secret", "scope"];
      return outcomes(names.map((name) => send(fixture, text(`${whole}&${name}=x`))));
    },
  ],
  [
    "values of other types in JSON, as for a database that takes objects",
    "400 invalid_request",
    (fixture) =>
      outcomes(
        [{ $ne: null }, ["x"], 5, true, null].flatMap((value) =>
          ["client_id", "client_secret", "refresh_token", "grant_type"].map((name) =>
            send(fixture, json({ ...grant, ...client, [name]: value })),
          ),
        ),
      ),
  ],
  [
    "JSON with prototype pollution",
    "400 invalid_request",
    (fixture) =>
      outcomes(
        ['{"__proto__":{"client_id":"x"}}', '{"constructor":{"prototype":{"client_id":"x"}}}'].map((body) =>
          send(fixture, { method: "POST", headers: { "content-type": "application/json" }, body }),
        ),
      ),
  ],
  [
    "unknown parameters, RFC 6749 section 3.2: ignored",
    "400 invalid_grant",
    (fixture) =>
      outcomes([
        send(fixture, form({ ...grant, ...client, audience: "x", resource: "https://evil.example" })),
        send(fixture, json({ ...grant, ...client, audience: ["x"], nested: { a: 1 } })),
      ]),
  ],
  [
    "grant types that Parley does not support",
    "400 unsupported_grant_type",
    (fixture) =>
      outcomes(
        ["password", "client_credentials", "implicit", "urn:ietf:params:oauth:grant-type:jwt-bearer"].map(
          (grant_type) =>
            send(fixture, form({ ...client, grant_type, username: fixture.email, password: "x" })),
        ),
      ),
  ],
  [
    "an assertion instead of the secret",
    "400 invalid_request",
    (fixture) => {
      const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
      const fields = {
        ...grant,
        client_id: client.client_id,
        client_assertion_type,
        client_assertion: "eyJ",
      };
      return send(fixture, form(fields)).then(outcome);
    },
  ],
  [
    "no secret, with a verifier instead",
    "400 invalid_request",
    (fixture) => {
      const { client_id } = client;
      const fields = { grant_type: "authorization_code", code: "x", redirect_uri: "x", client_id };
      return send(fixture, form({ ...fields, code_verifier: pkce().verifier })).then(outcome);
    },
  ],
  [
    "the secret's hash, an empty secret's hash, another client's secret, a longer secret, a secret in another case",
    "401 invalid_client",
    (fixture) => {
      const secret = client.client_secret;
      const guesses = [
        Buffer.from(hashToken(secret)).toString("hex"),
        Buffer.from(hashToken("")).toString("hex"),
        secondClient.client_secret,
        `${secret} `,
        secret.toUpperCase(),
      ];
      return outcomes(
        guesses.map((client_secret) => send(fixture, form({ ...grant, ...client, client_secret }))),
      );
    },
  ],
  [
    "an access token as credentials",
    "400 invalid_request",
    async (fixture) => {
      const authorization = `Bearer ${(await fixture.tokens()).access_token}`;
      return outcome(await send(fixture, json(grant, { authorization })));
    },
  ],
  [
    "brute force of a secret: after ten failures, a wrong secret gets 429 and the correct one is accepted",
    "10 times 401, then 429, the right one 400 invalid_grant",
    async (fixture) => {
      const guessed = { client_id: "brute-forced", client_secret: "right" };
      await register(fixture.db, guessed, []);
      const statuses = [];
      for (let guess = 0; guess < 11; guess += 1) {
        const fields = { ...grant, ...guessed, client_secret: `guess ${guess}` };
        statuses.push((await send(fixture, form(fields))).status);
      }
      const last = statuses.pop();
      const right = await outcome(await send(fixture, form({ ...grant, ...guessed })));
      return `${statuses.length} times ${[...new Set(statuses)].join()}, then ${last}, the right one ${right}`;
    },
  ],
  [
    "an unknown client and a wrong secret are indistinguishable",
    "the same response",
    async (fixture) => {
      const responses = [];
      for (const client_id of ["protocol-client", "nobody-at-all"]) {
        const response = await send(fixture, form({ ...grant, client_id, client_secret: "wrong" }));
        responses.push(`${response.status} ${await response.text()}`);
      }
      return responses[0] === responses[1] ? "the same response" : responses.join();
    },
  ],
  [
    "SQL in every parameter",
    "400 invalid_grant, 400 unsupported_grant_type, 401 invalid_client, 401 invalid_client",
    async (fixture) => {
      const sql = "x'; DELETE FROM oauth_tokens; --";
      const { refresh_token } = await fixture.tokens();
      const fields: Record<string, string>[] = [
        { refresh_token: sql },
        { grant_type: sql },
        { client_id: sql },
        { client_secret: sql },
      ];
      const responses = await outcomes(
        fields.map((field) => send(fixture, form({ ...grant, ...client, ...field }))),
      );
      if ((await fixture.refresh(refresh_token)).status !== 200) return "the tokens are gone";
      return responses;
    },
  ],
  [
    "oversized parameters",
    "400 invalid_grant, 401 invalid_client, 401 invalid_client",
    async (fixture) => {
      const huge = "x".repeat(16_000);
      const fields: Record<string, string>[] = [
        { refresh_token: huge },
        { client_id: huge },
        { client_secret: huge },
      ];
      return outcomes(fields.map((field) => send(fixture, form({ ...grant, ...client, ...field }))));
    },
  ],
  [
    "a body of more than 16 KiB",
    "413 invalid_request",
    (fixture) => send(fixture, form({ ...grant, ...client, x: "x".repeat(16_384) })).then(outcome),
  ],
  [
    "many parameters, and deep nesting",
    "400 invalid_grant, 400 invalid_request, 400 invalid_request",
    async (fixture) => {
      const many = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`x${index}`, "y"]));
      const nested = `{"grant_type":"refresh_token","x":${"[".repeat(8_000)}${"]".repeat(8_000)}}`;
      const more = "x&".repeat(1_001);
      return outcomes([
        send(fixture, form({ ...grant, ...client, ...many })),
        send(fixture, { ...form({}), body: new URLSearchParams(more) }),
        send(fixture, { method: "POST", headers: { "content-type": "application/json" }, body: nested }),
      ]);
    },
  ],
  [
    "NUL and unpaired surrogates in credentials",
    "400 invalid_request, 400 invalid_request, 401 invalid_client",
    (fixture) =>
      outcomes([
        send(fixture, form({ ...grant, ...client, client_id: "a\0b" })),
        send(fixture, json({ ...grant, ...client, client_secret: "\ud800" })),
        send(fixture, json(grant, basic({ client_id: "a\0b", client_secret: "x" }))),
      ]),
  ],
  [
    "a public client sends a secret, or a confidential client sends none",
    "401 invalid_client, 400 invalid_request",
    (fixture) =>
      outcomes([
        send(fixture, form({ ...grant, ...publicClient, client_secret: "x" })),
        send(fixture, form({ ...grant, client_id: client.client_id })),
      ]),
  ],
];

testAttacks(attacks);
