import { randomBytes } from "node:crypto";
import type { GrantedTokens } from "@parley/sdk";
import { readStored, removeStored, writeStored } from "./folder.ts";

// Each value has its own file, so that a process that stores new tokens never overwrites another value.
const tokensFile = (server: string) => `servers/${encodeURIComponent(server)}/tokens.json`;
const secretFile = (server: string) => `servers/${encodeURIComponent(server)}/webhook-secret`;
const currentFile = "server";

/** Returns the server of the last login. */
export function storedServer(): string | undefined {
  return readStored(currentFile)?.trim();
}

/** Stores the server that commands use by default. */
export function storeServer(server: string): void {
  writeStored(currentFile, `${server}\n`);
}

/** Returns the tokens for a server; undefined if there are none, or the file is not valid. */
export function storedTokens(server: string): GrantedTokens | undefined {
  const text = readStored(tokensFile(server));
  try {
    return text === undefined ? undefined : (JSON.parse(text) as GrantedTokens);
  } catch {
    return undefined;
  }
}

/** Stores tokens for a server. */
export function storeTokens(server: string, tokens: GrantedTokens): void {
  writeStored(tokensFile(server), `${JSON.stringify(tokens, null, 2)}\n`);
}

/** Removes the tokens for a server. */
export function removeTokens(server: string): void {
  removeStored(tokensFile(server));
}

/** Returns the secret with which events of a server are signed on this machine. Creates it at the first use. */
export function webhookSecret(server: string): string {
  const stored = readStored(secretFile(server))?.trim();
  if (stored) return stored;
  const secret = `parley_ws_${randomBytes(32).toString("base64url")}`;
  writeStored(secretFile(server), `${secret}\n`);
  return secret;
}
