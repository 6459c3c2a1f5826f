/** Sign-in of the reader. Tokens are only in memory: a reload or another page removes them. */
import {
  authorizeUrl,
  createPkce,
  exchangeCode,
  type GrantedTokens,
  handleCallback,
  refresh,
  revoke,
  type Scope,
} from "@parley/sdk";
import { redirectChannel } from "./redirect-channel.ts";

const redirectPath = "/docs/signed-in";
const closedCheckMs = 500;
/** A token is refreshed if it expires within this time. */
const refreshBeforeMs = 30_000;

let clientId = "";
let tokens: GrantedTokens | undefined;

/** Whether the reader is signed in. */
export function isSignedIn(): boolean {
  return tokens !== undefined;
}

/**
 * Opens the authorization page in a window, and exchanges the code (RFC 6749 section 4.1, RFC 7636). Call it from a click,
 * because browsers block other windows.
 *
 * @param client client ID of a public client whose redirect URI is `/docs/signed-in`
 * @throws Error with a message for the reader
 */
export async function signIn(client: string): Promise<void> {
  if (!isSecureContext) {
    throw new Error("Signing in needs an https address, or the address 127.0.0.1 or localhost.");
  }
  const popup = open("", "parley-sign-in", "popup,width=520,height=860");
  if (!popup) throw new Error("The browser blocked the window. Allow pop-ups for this page, and try again.");
  try {
    const { issuer, scopes_supported: scopes } = await readMetadata();
    const { codeVerifier, codeChallenge } = await createPkce();
    const state = crypto.randomUUID();
    const redirectUri = `${location.origin}${redirectPath}`;
    const address = authorizeUrl({
      baseUrl: issuer,
      clientId: client,
      redirectUri,
      scopes,
      state,
      codeChallenge,
    });
    const redirect = nextRedirect(popup, state);
    popup.location.href = address;
    const { code } = handleCallback(await redirect, { baseUrl: location.origin, issuer, state });
    tokens = await exchangeCode({
      baseUrl: location.origin,
      clientId: client,
      redirectUri,
      code,
      codeVerifier,
    });
    clientId = client;
  } finally {
    popup.close();
  }
}

/** Returns a valid access token; undefined if the reader is not signed in or must sign in again. */
export async function accessToken(): Promise<string | undefined> {
  if (tokens && tokens.expiresAt - Date.now() < refreshBeforeMs) {
    const { refreshToken } = tokens;
    tokens = await refresh({ baseUrl: location.origin, clientId, refreshToken }).catch(() => undefined);
  }
  return tokens?.accessToken;
}

/** Forgets the tokens, for example because the API rejected them. */
export function forgetTokens(): void {
  tokens = undefined;
}

/** Revokes the tokens and forgets them. */
export async function signOut(): Promise<void> {
  if (!tokens) return;
  const { refreshToken: token } = tokens;
  forgetTokens();
  await revoke({ baseUrl: location.origin, clientId, token });
}

/** Reads the metadata of the authorization server (RFC 8414). */
async function readMetadata(): Promise<{ issuer: string; scopes_supported: Scope[] }> {
  const response = await fetch("/.well-known/oauth-authorization-server", { credentials: "omit" });
  if (!response.ok) throw new Error(`The server responded with ${response.status}. Try again later.`);
  return (await response.json()) as { issuer: string; scopes_supported: Scope[] };
}

/** Resolves to the address to which the window is redirected. Rejects if the reader closes the window. */
function nextRedirect(popup: Window, state: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const channel = new BroadcastChannel(redirectChannel);
    const closedCheck = setInterval(() => {
      if (popup.closed) end(() => reject(new Error("The window was closed before you allowed access.")));
    }, closedCheckMs);
    const end = (settle: () => void) => {
      clearInterval(closedCheck);
      channel.close();
      settle();
    };
    // Other tabs may wait for redirects too.
    channel.addEventListener("message", ({ data }: MessageEvent<string>) => {
      if (new URL(data).searchParams.get("state") === state) end(() => resolve(data));
    });
  });
}
