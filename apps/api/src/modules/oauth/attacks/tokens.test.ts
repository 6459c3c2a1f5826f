import { hashToken } from "@parley/database";
import { as, asPlatform, createTenant } from "../../../../test/kit.ts";
import { type Attack, outcome, outcomes, testAttacks } from "../testing/attacks.ts";
import {
  client,
  createUser,
  form,
  json,
  type Scene,
  secondClient,
  signIn,
  type Tokens,
} from "../testing/fixture.ts";

const call = (scene: Scene, path: string, authorization?: string, init: RequestInit = {}) =>
  scene.fetch(scene.url + path, {
    ...init,
    headers: {
      ...(init.headers as Record<string, string>),
      ...(authorization !== undefined && { authorization }),
    },
  });
const revoke = (scene: Scene, fields: Record<string, string>) =>
  scene.fetch(`${scene.url}/api/oauth/revoke`, form({ ...client, ...fields }));

const attacks: Attack[] = [
  [
    "a token in the query alone",
    "401 unauthorized",
    async (scene) => {
      const { access_token } = await scene.tokens();
      return outcome(await call(scene, `/api/v1/leads?access_token=${access_token}`));
    },
  ],
  [
    "a token in the query beside the one in the header",
    "400 invalid_request",
    async (scene) => {
      const { access_token } = await scene.tokens();
      return outcomes(
        [access_token, "x", ""].map((other) =>
          call(scene, `/api/v1/leads?access_token=${other}`, `Bearer ${access_token}`),
        ),
      );
    },
  ],
  [
    "a token in a form body, without and with one in the header",
    "401 unauthorized, 415 invalid_request",
    async (scene) => {
      const { access_token } = await scene.tokens({ scope: "leads:write" });
      const body = form({ access_token });
      return outcomes([
        call(scene, "/api/v1/leads", undefined, body),
        call(scene, "/api/v1/leads", `Bearer ${access_token}`, body),
      ]);
    },
  ],
  [
    "a token in a JSON body, without and with one in the header",
    "401 unauthorized, 400 invalid_request",
    async (scene) => {
      const { access_token } = await scene.tokens({ scope: "leads:write" });
      const body = json({ access_token });
      return outcomes([
        call(scene, "/api/v1/leads", undefined, body),
        call(scene, "/api/v1/leads", `Bearer ${access_token}`, body),
      ]);
    },
  ],
  [
    "a token in a cookie, as user or password of Basic, or under another scheme",
    "401 unauthorized",
    async (scene) => {
      const { access_token: token } = await scene.tokens();
      return outcomes([
        call(scene, "/api/v1/me", undefined, { headers: { cookie: `access_token=${token}` } }),
        call(scene, "/api/v1/me", `Basic ${btoa(`${token}:`)}`),
        call(scene, "/api/v1/me", `Basic ${btoa(`x:${token}`)}`),
        call(scene, "/api/v1/me", `DPoP ${token}`),
        call(scene, "/api/v1/me", token),
        call(scene, "/api/v1/me", `Bearer ${token} ${token}`),
        call(scene, "/api/v1/me", `Bearer "${token}"`),
      ]);
    },
  ],
  [
    "the session of a browser in place of a token",
    "401 unauthorized",
    async (scene) => outcome(await (await scene.signedIn()).get(`${scene.url}/api/v1/me`)),
  ],
  [
    "invented tokens, a refresh token, a code, a longer, a shorter and a hashed token",
    "401 invalid_token",
    async (scene) => {
      const { access_token: token, refresh_token } = await scene.tokens();
      const hash = Buffer.from(hashToken(token)).toString("hex");
      const all = [
        "x",
        refresh_token,
        await scene.code(),
        `${token}x`,
        token.slice(0, -1),
        hash,
        token.toUpperCase(),
      ];
      return outcomes(all.map((other) => call(scene, "/api/v1/me", `Bearer ${other}`)));
    },
  ],
  [
    "a token of 15 kB",
    "401 invalid_token",
    (scene) => call(scene, "/api/v1/me", `Bearer ${"x".repeat(15_000)}`).then(outcome),
  ],
  [
    "an expired token",
    "401 invalid_token",
    async (scene) => {
      const { access_token } = await scene.tokens();
      await scene.db.oAuthToken.update({
        where: { tokenHash: hashToken(access_token) },
        data: { expiresAt: new Date() },
      });
      return outcome(await call(scene, "/api/v1/me", `Bearer ${access_token}`));
    },
  ],
  [
    "a revoked token that was in use",
    "401 within 5 seconds",
    async (scene) => {
      const { access_token } = await scene.tokens();
      await scene.statusOf(access_token);
      await revoke(scene, { token: access_token });
      await scene.refused(access_token);
      return "401 within 5 seconds";
    },
  ],
  [
    "a token of a user who was deleted",
    "401 within 5 seconds",
    async (scene) => {
      const { email, id } = await createUser(scene.db);
      const browser = await signIn(scene, email);
      const answer = await browser.press("allow", scene.page());
      const code = new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
      const { access_token } = (await (await scene.exchange(code)).json()) as Tokens;
      await scene.statusOf(access_token);
      await scene.db.user.delete({ where: { id } });
      await scene.refused(access_token);
      return "401 within 5 seconds";
    },
  ],
  [
    "a token reads another organization's record",
    "404 not_found",
    async (scene) => {
      const other = await createTenant(scene.db);
      const lead = await scene.db.lead.create({
        data: { organizationId: other.organizationId, chatbotId: other.chatbotId },
      });
      const { access_token } = await scene.tokens();
      return outcome(await call(scene, `/api/v1/leads/${lead.id}`, `Bearer ${access_token}`));
    },
  ],
  [
    "a token without the scope",
    '403 insufficient_scope, Bearer realm="parley", error="insufficient_scope", scope="tickets:read"',
    async (scene) => {
      const { access_token } = await scene.tokens();
      const answer = await call(scene, "/api/v1/tickets", `Bearer ${access_token}`);
      return `${await outcome(answer)}, ${answer.headers.get("www-authenticate")}`;
    },
  ],
  [
    "an access token at the platform's door, and the platform's key at the API",
    "401 invalid_token",
    async (scene) => {
      const tenant = await createTenant(scene.db);
      const stranger = asPlatform({ ...scene, platformKey: tenant.token }, tenant.organizationId);
      return outcomes([
        stranger("PUT", "/chatbots/x", { name: "x", model: "x" }),
        as(scene, { token: scene.platformKey })("GET", "/api/v1/me"),
      ]);
    },
  ],
  [
    "a refresh asks for more scopes than were granted, or for unknown ones",
    "400 invalid_scope, and the token still works",
    async (scene) => {
      const { refresh_token } = await scene.tokens({ scope: "leads:read" });
      const wider = [
        "leads:read leads:write",
        "leads:write",
        "admin",
        "LEADS:READ",
        "leads:read,tickets:read",
      ];
      const answers = await outcomes(wider.map((scope) => scene.refresh(refresh_token, { scope })));
      const after = await scene.refresh(refresh_token);
      return `${answers}, and the token ${after.status === 200 ? "still works" : "is gone"}`;
    },
  ],
  [
    "scopes narrowed by a refresh come back by the next, never beyond what was granted",
    "leads:read, then leads:read webhooks:manage",
    async (scene) => {
      const { refresh_token } = await scene.tokens();
      const narrow = (await (await scene.refresh(refresh_token, { scope: "leads:read" })).json()) as Tokens;
      const next = (await (await scene.refresh(narrow.refresh_token)).json()) as Tokens;
      return `${narrow.scope}, then ${next.scope}`;
    },
  ],
  [
    "a code exchange asks for more scopes",
    "leads:read",
    async (scene) => {
      const code = await scene.code({ scope: "leads:read" });
      return ((await (await scene.exchange(code, { scope: "leads:write" })).json()) as Tokens).scope;
    },
  ],
  [
    "another client refreshes, or revokes, a stolen token",
    "400 invalid_grant, and its owner goes on",
    async (scene) => {
      const { access_token, refresh_token } = await scene.tokens();
      const answers = await outcomes([
        scene.refresh(refresh_token, secondClient),
        revoke(scene, { token: refresh_token, ...secondClient }),
        revoke(scene, { token: access_token, ...secondClient }),
      ]);
      const works = (await scene.statusOf(access_token)) === 200 && (await scene.refresh(refresh_token)).ok;
      return `${answers}, and its owner ${works ? "goes on" : "is out"}`;
    },
  ],
  [
    "an access token, a code or an invented token is refreshed",
    "400 invalid_grant",
    async (scene) => {
      const { access_token } = await scene.tokens();
      const all = [access_token, await scene.code(), "x", "' OR 1=1 --"];
      return outcomes(all.map((token) => scene.refresh(token)));
    },
  ],
  [
    "a thief refreshes a stolen token after its owner did, a minute later",
    "400 invalid_grant, and both are out",
    async (scene) => {
      const { refresh_token } = await scene.tokens();
      const owner = (await (await scene.refresh(refresh_token)).json()) as Tokens;
      await scene.db.oAuthToken.update({
        where: { tokenHash: hashToken(refresh_token) },
        data: { rotatedAt: new Date(Date.now() - 60_001) },
      });
      const thief = await outcome(await scene.refresh(refresh_token));
      const statuses = [
        await scene.statusOf(owner.access_token),
        (await scene.refresh(owner.refresh_token)).status,
      ];
      return `${thief}, and both are ${statuses.join() === "401,400" ? "out" : "in"}`;
    },
  ],
  [
    "revocation with a hint that is wrong, or twice, or of an unknown token",
    "200 ok, and the token is refused",
    async (scene) => {
      const { access_token } = await scene.tokens();
      const answers = [];
      const requests: Record<string, string>[] = [
        { token: access_token, token_type_hint: "refresh_token" },
        { token: access_token },
        { token: "unknown", token_type_hint: "x" },
      ];
      for (const fields of requests) answers.push(await outcome(await revoke(scene, fields)));
      const refused = (await scene.statusOf(access_token)) === 401;
      return `${[...new Set(answers)].join()}, and the token is ${refused ? "refused" : "taken"}`;
    },
  ],
  [
    "revocation by whoever has the token but no credentials, or wrong ones",
    "400 invalid_request, 401 invalid_client, and the token works",
    async (scene) => {
      const { access_token: token } = await scene.tokens();
      const url = `${scene.url}/api/oauth/revoke`;
      const answers = await outcomes([
        scene.fetch(url, form({ token })),
        revoke(scene, { token, client_secret: "wrong" }),
      ]);
      return `${answers}, and the token ${(await scene.statusOf(token)) === 200 ? "works" : "is gone"}`;
    },
  ],
  [
    "tokens, codes and secrets in the database: none stands there as it is",
    "none",
    async (scene) => {
      const code = await scene.code();
      const { access_token, refresh_token } = (await (await scene.exchange(code)).json()) as Tokens;
      const tables = [
        "oauth_tokens",
        "oauth_authorization_codes",
        "oauth_client_secrets",
        "user_sessions",
        "audit_log",
      ];
      const dump = await Promise.all(
        tables.map((table) => scene.db.$queryRawUnsafe(`SELECT t::text FROM ${table} t`)),
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
