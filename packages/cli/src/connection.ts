import { Failure } from "@parley/command-line";
import { Parley } from "@parley/sdk";
import { storedServer, storedTokens, storeTokens } from "./store/servers.ts";

/** Client ID of this command line, which every Parley server knows. It is a public client, so it has no secret. */
export const clientId = "parley-cli";

/** Address at which `npm start` runs the server. */
export const localServer = "http://127.0.0.1:8080";

let used: string | undefined;

/** Returns the server of the last call of {@link serverOf}. */
export function usedServer(): string | undefined {
  return used;
}

/** Returns the root URL of the server without a trailing slash. */
export function serverOf(server?: string): string {
  const url = server || process.env["PARLEY_URL"] || storedServer() || localServer;
  if (/^https?:\/\/[^/]/.test(url) && URL.canParse(url)) {
    used = url.replace(/\/+$/, "");
    return used;
  }
  throw new Failure(`The server must be a URL such as https://parley.example.com (received "${url}").`, 2);
}

/**
 * Returns a client with PARLEY_TOKEN, or with the stored tokens of the server, which it refreshes.
 *
 * @throws Failure if there is no token
 */
export function connect(server?: string): Parley {
  const baseUrl = serverOf(server);
  const accessToken = process.env["PARLEY_TOKEN"];
  if (accessToken) return new Parley({ baseUrl, accessToken });
  const tokens = storedTokens(baseUrl);
  if (!tokens) {
    throw new Failure(
      `You are not signed in to ${baseUrl}. Run \`parley login ${baseUrl}\`, or set PARLEY_TOKEN.`,
    );
  }
  return new Parley({
    baseUrl,
    clientId,
    tokens,
    onTokens: (renewed) => storeTokens(baseUrl, renewed),
    loadTokens: () => storedTokens(baseUrl),
  });
}
