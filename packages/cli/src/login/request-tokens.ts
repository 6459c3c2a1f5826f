import { randomUUID } from "node:crypto";
import { Failure, printNote } from "@parley/command-line";
import {
  AuthorizationError,
  authorizeUrl,
  createPkce,
  exchangeCode,
  type GrantedTokens,
  handleCallback,
  revoke,
  type Scope,
} from "@parley/sdk";
import { clientId } from "../connection.ts";
import { openBrowser } from "./open-browser.ts";
import { readPastedUrls } from "./read-pasted-urls.ts";
import { type Respond, startRedirectServer } from "./redirect-server.ts";

/** Options of {@link requestTokens}. */
interface LoginOptions {
  readonly baseUrl: string;
  /** Whether to request the scopes that change records. */
  readonly write: boolean;
  /** Whether to open a browser. */
  readonly browser: boolean;
  /** Stores the tokens, before the browser shows success. */
  readonly store: (tokens: GrantedTokens) => void;
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
export async function requestTokens({
  baseUrl,
  write,
  browser,
  store,
}: LoginOptions): Promise<GrantedTokens> {
  const { issuer, scopes_supported } = await readMetadata(baseUrl);
  const scopes = scopes_supported.filter((scope) => write || !scope.endsWith(":write"));
  const { codeVerifier, codeChallenge } = await createPkce();
  const state = randomUUID();

  const { promise, resolve, reject } = deferred<{ code: string; respond: Respond }>();
  const server = await startRedirectServer((url, respond) => void accept(url, respond));
  const pasted = readPastedUrls((url) => accept(url, () => {}));
  const timer = setTimeout(
    () => reject(new Failure("You did not sign in within 10 minutes. Run parley login again.")),
    longestLoginMs,
  );
  const { redirectUri } = server;
  try {
    const address = authorizeUrl({ baseUrl, clientId, redirectUri, scopes, state, codeChallenge });
    printNote(`To sign in, open this address in a browser:\n\n  ${address}\n`);
    printNote(
      `If the browser runs on another machine, paste the address that it ends on (${redirectUri}?…) here.`,
    );
    if (browser && process.stderr.isTTY) openBrowser(address);
    const { code, respond } = await promise;
    try {
      const tokens = await exchangeCode({ baseUrl, clientId, code, redirectUri, codeVerifier });
      await storeOrRevoke(tokens);
      noteWithheld(scopes.filter((scope) => !tokens.scopes.includes(scope)));
      respond(true);
      return tokens;
    } catch (error) {
      respond(false);
      throw error;
    }
  } finally {
    clearTimeout(timer);
    pasted.stop();
    server.close();
  }

  /** Handles the address of a redirect. Returns whether it belongs to this login; other requests must not end it. */
  function accept(url: string, respond: Respond): boolean {
    try {
      resolve({ ...handleCallback(url, { baseUrl, state, issuer }), respond });
      return true;
    } catch (error) {
      respond(false);
      const isOther = error instanceof AuthorizationError && /_mismatch$|^missing_code$/.test(error.code);
      if (!isOther) reject(error);
      return !isOther;
    }
  }

  async function storeOrRevoke(tokens: GrantedTokens): Promise<void> {
    try {
      store(tokens);
    } catch (error) {
      await revoke({ baseUrl, clientId, token: tokens.refreshToken }).catch(() => {});
      throw error;
    }
  }
}

/** Says which scopes the server did not grant: the role of the user may not allow them. */
function noteWithheld(scopes: Scope[]): void {
  if (scopes.length === 0) return;
  printNote(`Not granted: ${scopes.join(", ")}. An admin of the organization can sign in with these scopes.`);
}

/** Returns a promise with the functions that settle it. */
function deferred<Value>() {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((...functions) => {
    [resolve, reject] = functions;
  });
  return { promise, resolve, reject };
}

/**
 * Reads the metadata of the server, whose issuer must be the address that was asked (RFC 8414, section 3.3). Otherwise, a server could let the
 * user sign in to another server, and get the code.
 *
 * @throws Failure
 */
async function readMetadata(baseUrl: string): Promise<Metadata> {
  const url = `${baseUrl}/.well-known/oauth-authorization-server`;
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch((error: unknown) => {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    throw new Failure(
      `No server responds at ${baseUrl}${code === undefined ? "" : ` (${code})`}. Start it, or name another: parley login https://parley.example.com`,
    );
  });
  const metadata = (await response.json().catch(() => ({}))) as Partial<Metadata>;
  if (!response.ok || typeof metadata.issuer !== "string" || !Array.isArray(metadata.scopes_supported)) {
    throw new Failure(
      `${baseUrl} is not a Parley server. Name another: parley login https://parley.example.com`,
    );
  }
  if (metadata.issuer !== baseUrl) {
    throw new Failure(
      `The server at ${baseUrl} says that its address is ${metadata.issuer}. If you trust that address, use it: parley login ${metadata.issuer}`,
    );
  }
  return metadata as Metadata;
}
