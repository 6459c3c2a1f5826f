import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { authorizeUrl, createPkce, exchangeCode, handleCallback, Parley, refresh, revoke } from "@parley/sdk";

const { PARLEY_URL, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, SCOPES = "leads:read" } = process.env;
if (!PARLEY_URL || !CLIENT_ID || !CLIENT_SECRET || !REDIRECT_URI) {
  console.error("Set PARLEY_URL, CLIENT_ID, CLIENT_SECRET and REDIRECT_URI.");
  process.exit(1);
}
const app = { baseUrl: PARLEY_URL.replace(/\/+$/, ""), clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
const redirectUri = REDIRECT_URI;

async function readLine() {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    return line.trim();
  }
  throw new Error("No address was entered.");
}

try {
  const { codeVerifier, codeChallenge } = await createPkce();
  const state = randomUUID();
  console.log(
    `open ${authorizeUrl({ ...app, redirectUri, scopes: SCOPES.split(" "), state, codeChallenge })}`,
  );

  const { code } = handleCallback(await readLine(), { ...app, state }); // Checks state, iss and error.
  let tokens = await exchangeCode({ ...app, redirectUri, code, codeVerifier });

  const { data } = await new Parley({ baseUrl: app.baseUrl, accessToken: tokens.accessToken }).me();
  console.log(`organization ${data.attributes.name}`);

  tokens = await refresh({ ...app, refreshToken: tokens.refreshToken });
  console.log("refreshed");

  await revoke({ ...app, token: tokens.refreshToken }); // Revokes the grant with all its tokens.
  console.log("revoked");
} catch (error) {
  console.error(`Sign-in failed: ${error.message}`);
  process.exit(1);
}
