import { hashToken } from "@parley/database";
import { as, asPlatform } from "../../../testing/api-server.ts";
import { createTenant } from "../../../testing/factories.ts";
import { type Attack, outcome, outcomes, testAttacks } from "../testing/attacks.ts";
import {
  client,
  createUser,
  form,
  json,
  type OAuthFixture,
  secondClient,
  signIn,
  type Tokens,
} from "../testing/fixture.ts";

const call = (fixture: OAuthFixture, path: string, authorization?: string, init: RequestInit = {}) =>
  fixture.fetch(fixture.url + path, {
    ...init,
    headers: {
      ...(init.headers as Record<string, string>),
      ...(authorization !== undefined && { authorization }),
    },
  });
const revoke = (fixture: OAuthFixture, fields: Record<string, string>) =>
  fixture.fetch(`${fixture.url}/api/oauth/revoke`, form({ ...client, ...fields }));

const attacks: Attack[] = [
  [
    "a token only in the query",
    "401 unauthorized",
    async (fixture) => {
      const { access_token } = await fixture.tokens();
      return outcome(await call(fixture, `/api/v1/leads?access_token=${access_token}`));
    },
  ],
  [
    "a token in the query in addition to the header",
    "400 invalid_request",
    async (fixture) => {
      const { access_token } = await fixture.tokens();
      return outcomes(
        [access_token, "x", ""].map((other) =>
          call(fixture, `/api/v1/leads?access_token=${other}`, `Bearer ${access_token}`),
        ),
      );
    },
  ],
  [
    "a token in a form body, without and with one in the header",
    "401 unauthorized, 415 invalid_request",
    async (fixture) => {
      const { access_token } = await fixture.tokens({ scope: "leads:write" });
      const body = form({ access_token });
      return outcomes([
        call(fixture, "/api/v1/leads", undefined, body),
        call(fixture, "/api/v1/leads", `Bearer ${access_token}`, body),
      ]);
    },
  ],
  [
    "a token in a JSON body, without and with one in the header",
    "401 unauthorized, 400 invalid_request",
    async (fixture) => {
      const { access_token } = await fixture.tokens({ scope: "leads:write" });
      const body = json({ access_token });
      return outcomes([
        call(fixture, "/api/v1/leads", undefined, body),
        call(fixture, "/api/v1/leads", `Bearer ${access_token}`, body),
      ]);
    },
  ],
  [
    "a token in a cookie, as user or password of Basic, or under another scheme",
    "401 unauthorized",
    async (fixture) => {
      const { access_token: token } = await fixture.tokens();
      return outcomes([
        call(fixture, "/api/v1/me", undefined, { headers: { cookie: `access_token=${token}` } }),
        call(fixture, "/api/v1/me", `Basic ${btoa(`${token}:`)}`),
        call(fixture, "/api/v1/me", `Basic ${btoa(`x:${token}`)}`),
        call(fixture, "/api/v1/me", `DPoP ${token}`),
        call(fixture, "/api/v1/me", token),
        call(fixture, "/api/v1/me", `Bearer ${token} ${token}`),
        call(fixture, "/api/v1/me", `Bearer "${token}"`),
      ]);
    },
  ],
  [
    "the session of a browser instead of a token",
    "401 unauthorized",
    async (fixture) => outcome(await (await fixture.signedIn()).get(`${fixture.url}/api/v1/me`)),
  ],
  [
    "invented tokens, a refresh token, a code, a longer, a shorter and a hashed token",
    "401 invalid_token",
    async (fixture) => {
      const { access_token: token, refresh_token } = await fixture.tokens();
      const hash = Buffer.from(hashToken(token)).toString("hex");
      const all = [
        "x",
        refresh_token,
        await fixture.code(),
        `${token}x`,
        token.slice(0, -1),
        hash,
        token.toUpperCase(),
      ];
      return outcomes(all.map((other) => call(fixture, "/api/v1/me", `Bearer ${other}`)));
    },
  ],
  [
    "a token of 15 kB",
    "401 invalid_token",
    (fixture) => call(fixture, "/api/v1/me", `Bearer ${"x".repeat(15_000)}`).then(outcome),
  ],
  [
    "an expired token",
    "401 invalid_token",
    async (fixture) => {
      const { access_token } = await fixture.tokens();
      await fixture.db.oAuthToken.update({
        where: { tokenHash: hashToken(access_token) },
        data: { expiresAt: new Date() },
      });
      return outcome(await call(fixture, "/api/v1/me", `Bearer ${access_token}`));
    },
  ],
  [
    "a revoked token that was in use",
    "401 within 5 seconds",
    async (fixture) => {
      const { access_token } = await fixture.tokens();
      await fixture.statusOf(access_token);
      await revoke(fixture, { token: access_token });
      await fixture.refused(access_token);
      return "401 within 5 seconds";
    },
  ],
  [
    "a token of a user who was deleted",
    "401 within 5 seconds",
    async (fixture) => {
      const { email, id } = await createUser(fixture.db);
      const browser = await signIn(fixture, email);
      const response = await browser.press("allow", fixture.page());
      const code = new URL(response.headers.get("location") ?? "").searchParams.get("code") ?? "";
      const { access_token } = (await (await fixture.exchange(code)).json()) as Tokens;
      await fixture.statusOf(access_token);
      await fixture.db.user.delete({ where: { id } });
      await fixture.refused(access_token);
      return "401 within 5 seconds";
    },
  ],
  [
    "a token reads another organization's record",
    "404 not_found",
    async (fixture) => {
      const other = await createTenant(fixture.db);
      const lead = await fixture.db.lead.create({
        data: { organizationId: other.organizationId, chatbotId: other.chatbotId },
      });
      const { access_token } = await fixture.tokens();
      return outcome(await call(fixture, `/api/v1/leads/${lead.id}`, `Bearer ${access_token}`));
    },
  ],
  [
    "a token without the scope",
    '403 insufficient_scope, Bearer realm="parley", error="insufficient_scope", scope="tickets:read"',
    async (fixture) => {
      const { access_token } = await fixture.tokens();
      const response = await call(fixture, "/api/v1/tickets", `Bearer ${access_token}`);
      return `${await outcome(response)}, ${response.headers.get("www-authenticate")}`;
    },
  ],
  [
    "an access token at the Platform API, and a platform key at the API",
    "401 invalid_token",
    async (fixture) => {
      const tenant = await createTenant(fixture.db);
      const stranger = asPlatform({ ...fixture, platformKey: tenant.token }, tenant.organizationId);
      return outcomes([
        stranger("PUT", "/chatbots/x", { name: "x", model: "x" }),
        as(fixture, { token: fixture.platformKey })("GET", "/api/v1/me"),
      ]);
    },
  ],
  [
    "a refresh asks for more scopes than were granted, or for unknown ones",
    "400 invalid_scope, and the token still works",
    async (fixture) => {
      const { refresh_token } = await fixture.tokens({ scope: "leads:read" });
      const wider = [
        "leads:read leads:write",
        "leads:write",
        "admin",
        "LEADS:READ",
        "leads:read,tickets:read",
      ];
      const responses = await outcomes(wider.map((scope) => fixture.refresh(refresh_token, { scope })));
      const after = await fixture.refresh(refresh_token);
      return `${responses}, and the token ${after.status === 200 ? "still works" : "is gone"}`;
    },
  ],
  [
    "scopes narrowed by a refresh are available at the next refresh, never more than granted",
    "leads:read, then leads:read webhooks:manage",
    async (fixture) => {
      const { refresh_token } = await fixture.tokens();
      const narrow = (await (await fixture.refresh(refresh_token, { scope: "leads:read" })).json()) as Tokens;
      const next = (await (await fixture.refresh(narrow.refresh_token)).json()) as Tokens;
      return `${narrow.scope}, then ${next.scope}`;
    },
  ],
  [
    "a code exchange asks for more scopes",
    "leads:read",
    async (fixture) => {
      const code = await fixture.code({ scope: "leads:read" });
      return ((await (await fixture.exchange(code, { scope: "leads:write" })).json()) as Tokens).scope;
    },
  ],
  [
    "another client refreshes, or revokes, a stolen token",
    "400 invalid_grant, and its owner goes on",
    async (fixture) => {
      const { access_token, refresh_token } = await fixture.tokens();
      const responses = await outcomes([
        fixture.refresh(refresh_token, secondClient),
        revoke(fixture, { token: refresh_token, ...secondClient }),
        revoke(fixture, { token: access_token, ...secondClient }),
      ]);
      const works =
        (await fixture.statusOf(access_token)) === 200 && (await fixture.refresh(refresh_token)).ok;
      return `${responses}, and its owner ${works ? "goes on" : "is out"}`;
    },
  ],
  [
    "an access token, a code or an invented token is refreshed",
    "400 invalid_grant",
    async (fixture) => {
      const { access_token } = await fixture.tokens();
      const all = [access_token, await fixture.code(), "x", "' OR 1=1 --"];
      return outcomes(all.map((token) => fixture.refresh(token)));
    },
  ],
  [
    "an attacker refreshes a stolen token a minute after its owner",
    "400 invalid_grant, and both are out",
    async (fixture) => {
      const { refresh_token } = await fixture.tokens();
      const owner = (await (await fixture.refresh(refresh_token)).json()) as Tokens;
      await fixture.db.oAuthToken.update({
        where: { tokenHash: hashToken(refresh_token) },
        data: { rotatedAt: new Date(Date.now() - 60_001) },
      });
      const thief = await outcome(await fixture.refresh(refresh_token));
      const statuses = [
        await fixture.statusOf(owner.access_token),
        (await fixture.refresh(owner.refresh_token)).status,
      ];
      return `${thief}, and both are ${statuses.join() === "401,400" ? "out" : "in"}`;
    },
  ],
  [
    "revocation with a hint that is wrong, or twice, or of an unknown token",
    "200 ok, and the token is refused",
    async (fixture) => {
      const { access_token } = await fixture.tokens();
      const responses = [];
      const requests: Record<string, string>[] = [
        { token: access_token, token_type_hint: "refresh_token" },
        { token: access_token },
        { token: "unknown", token_type_hint: "x" },
      ];
      for (const fields of requests) responses.push(await outcome(await revoke(fixture, fields)));
      const refused = (await fixture.statusOf(access_token)) === 401;
      return `${[...new Set(responses)].join()}, and the token is ${refused ? "refused" : "taken"}`;
    },
  ],
  [
    "revocation without client credentials, or with wrong ones",
    "400 invalid_request, 401 invalid_client, and the token works",
    async (fixture) => {
      const { access_token: token } = await fixture.tokens();
      const url = `${fixture.url}/api/oauth/revoke`;
      const responses = await outcomes([
        fixture.fetch(url, form({ token })),
        revoke(fixture, { token, client_secret: "wrong" }),
      ]);
      return `${responses}, and the token ${(await fixture.statusOf(token)) === 200 ? "works" : "is gone"}`;
    },
  ],
  [
    "tokens, codes and secrets in the database: none in clear",
    "none",
    async (fixture) => {
      const code = await fixture.code();
      const { access_token, refresh_token } = (await (await fixture.exchange(code)).json()) as Tokens;
      const tables = [
        "oauth_tokens",
        "oauth_authorization_codes",
        "oauth_client_secrets",
        "user_sessions",
        "audit_log",
      ];
      const dump = await Promise.all(
        tables.map((table) => fixture.db.$queryRawUnsafe(`SELECT t::text FROM ${table} t`)),
      );
      const all = JSON.stringify(dump);
      const plain = [code, access_token, refresh_token, client.client_secret].flatMap((secret) => [
        secret,
        Buffer.from(secret).toString("hex"),
      ]);
      return plain.filter((secret) => all.includes(secret)).join() || "none";
    },
  ],
];

testAttacks(attacks);
