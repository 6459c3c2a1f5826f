import { hashToken } from "@parley/database";
import { type Attack, outcome, outcomes, testAttacks } from "../testing/attacks.ts";
import {
  client,
  form,
  type OAuthFixture,
  pkce,
  publicClient,
  publicRedirectUri,
  redirectUri,
  register,
  secondClient,
  type Tokens,
} from "../testing/fixture.ts";

/** A code that was asked for with PKCE, and an attempt to exchange it. */
async function exchangeWith(fixture: OAuthFixture, fields: (verifier: string, challenge: string) => object) {
  const { verifier, challenge } = pkce();
  const code = await fixture.code(challenge);
  const sent = fields(verifier, challenge.code_challenge) as Record<string, string>;
  return outcome(await fixture.exchange(code, sent));
}

const attacks: Attack[] = [
  [
    "a code is used again",
    "200 ok, then 400 invalid_grant, the first tokens end",
    async (fixture) => {
      const code = await fixture.code();
      const first = await fixture.exchange(code);
      const { access_token, refresh_token } = (await first.clone().json()) as Tokens;
      const second = await outcome(await fixture.exchange(code));
      const dead = [await fixture.statusOf(access_token), (await fixture.refresh(refresh_token)).status];
      return `${await outcome(first)}, then ${second}, the first tokens ${dead.join() === "401,400" ? "end" : "live"}`;
    },
  ],
  [
    "a code is used again after its minute",
    "400 invalid_grant, the first tokens end",
    async (fixture) => {
      const code = await fixture.code();
      const { access_token } = (await (await fixture.exchange(code)).json()) as Tokens;
      await fixture.db.oAuthAuthorizationCode.update({
        where: { codeHash: hashToken(code) },
        data: { expiresAt: new Date(0) },
      });
      const response = await outcome(await fixture.exchange(code));
      return `${response}, the first tokens ${(await fixture.statusOf(access_token)) === 401 ? "end" : "live"}`;
    },
  ],
  [
    "another client presents a stolen code",
    "400 invalid_grant, then its owner 200 ok",
    async (fixture) => {
      const code = await fixture.code();
      const stolen = await outcome(await fixture.exchange(code, secondClient));
      return `${stolen}, then its owner ${await outcome(await fixture.exchange(code))}`;
    },
  ],
  [
    "another client presents a code that was used: it cannot end the owner's tokens",
    "400 invalid_grant, 200",
    async (fixture) => {
      const code = await fixture.code();
      const { access_token } = (await (await fixture.exchange(code)).json()) as Tokens;
      const stolen = await outcome(await fixture.exchange(code, secondClient));
      return `${stolen}, ${await fixture.statusOf(access_token)}`;
    },
  ],
  [
    "a stolen code of a public client, without its verifier",
    "400 invalid_grant",
    async (fixture) => {
      const { challenge } = pkce();
      const asked = { ...publicClient, redirect_uri: publicRedirectUri };
      const code = await fixture.code({ ...asked, ...challenge });
      const grant = { grant_type: "authorization_code", code, redirect_uri: publicRedirectUri };
      return outcome(await fixture.send({ ...grant, ...publicClient }));
    },
  ],
  [
    "a stolen code is injected into the attacker's own session, which has another verifier",
    "400 invalid_grant",
    (fixture) => exchangeWith(fixture, () => ({ code_verifier: pkce().verifier })),
  ],
  [
    "the verifier is left out (downgrade)",
    "400 invalid_grant",
    (fixture) => exchangeWith(fixture, () => ({})),
  ],
  [
    "the verifier is sent empty (downgrade)",
    "400 invalid_grant",
    (fixture) => exchangeWith(fixture, () => ({ code_verifier: "" })),
  ],
  [
    "the challenge is sent as verifier, as with the method plain",
    "400 invalid_grant",
    (fixture) => exchangeWith(fixture, (_, challenge) => ({ code_verifier: challenge })),
  ],
  [
    "the challenge is sent as verifier with the method plain named",
    "400 invalid_grant",
    (fixture) =>
      exchangeWith(fixture, (_, challenge) => ({
        code_verifier: challenge,
        code_challenge_method: "plain",
        code_challenge: challenge,
      })),
  ],
  [
    "a verifier of 42 characters",
    "400 invalid_request",
    (fixture) => exchangeWith(fixture, (verifier) => ({ code_verifier: verifier.slice(0, 42) })),
  ],
  [
    "a verifier of 129 characters",
    "400 invalid_request",
    (fixture) => exchangeWith(fixture, (verifier) => ({ code_verifier: verifier.padEnd(129, "x") })),
  ],
  [
    "a verifier of which only the beginning is right",
    "400 invalid_grant",
    (fixture) => exchangeWith(fixture, (verifier) => ({ code_verifier: `${verifier}x` })),
  ],
  [
    "the challenge was stripped from the request, but the app sends its verifier",
    "400 invalid_grant",
    async (fixture) =>
      outcome(await fixture.exchange(await fixture.code(), { code_verifier: pkce().verifier })),
  ],
  [
    "the method plain, or none, at the authorization endpoint",
    "302 app.example.com invalid_request",
    async (fixture) => {
      const code_challenge = pkce().verifier;
      const browser = await fixture.signedIn();
      return outcomes(
        [{ code_challenge, code_challenge_method: "plain" }, { code_challenge }].map((asked) =>
          browser.get(fixture.page(asked)),
        ),
      );
    },
  ],
  [
    "another redirect_uri at the exchange, though registered, or a longer or shorter one",
    "400 invalid_grant",
    async (fixture) => {
      const code = await fixture.code();
      const uris = [
        "http://127.0.0.1/callback",
        `${redirectUri}&x=1`,
        redirectUri.slice(0, -1),
        redirectUri.replace("app", "APP"),
      ];
      return outcomes(uris.map((uri) => fixture.exchange(code, { redirect_uri: uri })));
    },
  ],
  [
    "no redirect_uri at the exchange",
    "400 invalid_request",
    async (fixture) => outcome(await fixture.exchange(await fixture.code(), { redirect_uri: "" })),
  ],
  [
    "another port of the loopback address at the exchange",
    "400 invalid_grant",
    async (fixture) => {
      const code = await fixture.code({ redirect_uri: "http://127.0.0.1:4000/callback" });
      return outcome(await fixture.exchange(code, { redirect_uri: "http://127.0.0.1:4001/callback" }));
    },
  ],
  [
    "an expired code",
    "400 invalid_grant",
    async (fixture) => {
      const code = await fixture.code();
      const where = { codeHash: hashToken(code) };
      await fixture.db.oAuthAuthorizationCode.update({ where, data: { expiresAt: new Date() } });
      return outcome(await fixture.exchange(code));
    },
  ],
  [
    "unknown codes, and an access token and a refresh token instead of a code",
    "400 invalid_grant",
    async (fixture) => {
      const { access_token, refresh_token } = await fixture.tokens();
      const invented = ["x", `parley_ac_${"A".repeat(43)}`, "' OR 1=1 --", "x".repeat(10_000)];
      return outcomes([...invented, access_token, refresh_token].map((code) => fixture.exchange(code)));
    },
  ],
  [
    "codes of characters that RFC 6749 appendix A.11 does not have",
    "400 invalid_request",
    (fixture) => outcomes(["ü".repeat(500), "a\tb", "🙂"].map((code) => fixture.exchange(code))),
  ],
  [
    "a code of a grant that the user revoked",
    "400 invalid_grant",
    async (fixture) => {
      const code = await fixture.code();
      const { grantId } = await fixture.db.oAuthAuthorizationCode.findUniqueOrThrow({
        where: { codeHash: hashToken(code) },
      });
      await fixture.db.oAuthGrant.update({ where: { id: grantId }, data: { revokedAt: new Date() } });
      return outcome(await fixture.exchange(code));
    },
  ],
  [
    "a code whose app was deleted meanwhile",
    "401 invalid_client",
    async (fixture) => {
      const doomed = { client_id: "doomed", client_secret: "doomed secret" };
      await register(fixture.db, doomed, [redirectUri]);
      const code = await fixture.code({ client_id: doomed.client_id });
      await fixture.db.oAuthClient.delete({ where: { id: doomed.client_id } });
      return outcome(await fixture.exchange(code, doomed));
    },
  ],
  [
    "a code at the revocation endpoint revokes nothing",
    "200 ok, then 200 ok",
    async (fixture) => {
      const code = await fixture.code();
      const request = form({ ...client, token: code });
      const revoked = await outcome(await fixture.fetch(`${fixture.url}/api/oauth/revoke`, request));
      return `${revoked}, then ${await outcome(await fixture.exchange(code))}`;
    },
  ],
];

testAttacks(attacks);
