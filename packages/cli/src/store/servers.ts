import { randomBytes } from "node:crypto";
import type { GrantedTokens } from "@parley/sdk";
import { readStored, removeStored, writeStored } from "./folder.ts";

// Each value has its own file, so that a process that stores new tokens never overwrites another value.
const tokensFile = (server: string) => `servers/${encodeURIComponent(server)}/tokens.json`;
const secretFile = (server: string) => `servers/${encodeURIComponent(server)}/webhook-secret`;
const currentFile = "server";

/** Returns the server of the last login; undefined if the file is not valid. */
export function storedServer(): string | undefined {
  const url = readStored(currentFile)?.trim() ?? "";
  return URL.canParse(url) ? url : undefined;
}

/** Stores the server that commands use by default. */
export function storeServer(server: string): void {
  writeStored(currentFile, `${server}\n`);
}

/** Returns the tokens for a server; undefined if there are none, or the file is not valid. */
export function storedTokens(server: string): GrantedTokens | undefined {
  const text = readStored(tokensFile(server));
  try {
    const tokens = JSON.parse(text ?? "{}") as Partial<GrantedTokens>;
    const isValid = [tokens.accessToken, tokens.refreshToken].every(
      (token) => typeof token === "string" && token !== "",
    );
    return isValid ? (tokens as GrantedTokens) : undefined;
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
