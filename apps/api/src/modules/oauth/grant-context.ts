import type { Client } from "@node-oauth/oauth2-server";
import type { Database, OAuthClient } from "@parley/database";

/** One token request, while the library works on it. */
export interface GrantContext {
  db: Database;
  now: Date;
  /** Authenticated already. */
  client: Client;
  parameters: Record<string, string>;
}

/** A registered client in the form that the library wants. */
export function libraryClient({ id, redirectUris }: OAuthClient): Client {
  return { id, redirectUris, grants: ["authorization_code", "refresh_token"] };
}
