import { randomUUID } from "node:crypto";
import { Failure } from "@parley/command-line";
import {
  authorizeUrl,
  createPkce,
  exchangeCode,
  type GrantedTokens,
  handleCallback,
  type Scope,
} from "@parley/sdk";
import { clientId } from "../connection.ts";
import { dim } from "../output/colors.ts";
import { openBrowser } from "./open-browser.ts";
import { readPastedUrl } from "./read-pasted-url.ts";
import { startRedirectServer } from "./redirect-server.ts";

/** Options of {@link requestTokens}. */
interface LoginOptions {
  readonly baseUrl: string;
  /** Whether to request the scopes that change records. */
  readonly write: boolean;
  /** Whether to open a browser. */
  readonly browser: boolean;
}

/** Part of the authorization server metadata (RFC 8414). */
interface Metadata {
  readonly issuer: string;
  readonly scopes_supported: Scope[];
}

const longestLoginMs = 10 * 60_000;

/**
 * Gets tokens with the authorization code flow for native apps (RFC 8252): the browser is redirected to a server on this
 * machine. If the browser runs on another machine, the user pastes the address of the redirect.
 *
 * @throws Failure if the server is no Parley server, or the user does not finish in time
 * @throws ParleyError if the user denies access
 */
export async function requestTokens({ baseUrl, write, browser }: LoginOptions): Promise<GrantedTokens> {
  const { issuer, scopes_supported } = await readMetadata(baseUrl);
  const scopes = scopes_supported.filter((scope) => write || !scope.endsWith(":write"));
  const [{ codeVerifier, codeChallenge }, server] = [await createPkce(), await startRedirectServer()];
  const state = randomUUID();
  const { redirectUri } = server;
  const address = authorizeUrl({ baseUrl, clientId, redirectUri, scopes, state, codeChallenge });
  const pasted = readPastedUrl();
  try {
    console.error(`To sign in, open this address in a browser:\n\n  ${address}\n`);
    console.error(
      dim(
        `If the browser runs on another machine, paste the address that it ends on (${redirectUri}?…) here.`,
      ),
    );
    if (browser && process.stderr.isTTY) openBrowser(address);
    const { code, finish } = await Promise.race([
      server.redirected.then(({ url, respond }) => check(url, respond)),
      pasted.url.then((url) => check(url)),
      timeout(),
    ]);
    const tokens = await exchangeCode({ baseUrl, clientId, code, redirectUri, codeVerifier }).catch(
      (error: unknown) => {
        finish(false);
        throw error;
      },
    );
    finish(true);
    return tokens;
  } finally {
    pasted.stop();
    server.close();
  }

  function check(url: string, finish: (signedIn: boolean) => void = () => {}) {
    try {
      return { ...handleCallback(url, { baseUrl, state, issuer }), finish };
    } catch (error) {
      finish(false);
      throw error;
    }
  }
}

async function readMetadata(baseUrl: string): Promise<Metadata> {
  const url = `${baseUrl}/.well-known/oauth-authorization-server`;
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch((error: unknown) => {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    throw new Failure(
      `No server responds at ${baseUrl}${code === undefined ? "" : ` (${code})`}. Start it, or name another: parley login https://parley.example.com`,
    );
  });
  const metadata = (await response.json().catch(() => ({}))) as Partial<Metadata>;
  if (response.ok && metadata.issuer && Array.isArray(metadata.scopes_supported)) return metadata as Metadata;
  throw new Failure(
    `${baseUrl} is not a Parley server. Name another: parley login https://parley.example.com`,
  );
}

function timeout(): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(new Failure("You did not sign in within 10 minutes. Run parley login again."));
    setTimeout(fail, longestLoginMs).unref();
  });
}
