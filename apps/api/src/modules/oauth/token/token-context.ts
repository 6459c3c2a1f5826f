import type { Client, User } from "@node-oauth/oauth2-server";
import type { Database, OAuthClient, OAuthGrant } from "@parley/database";

/** One token request, while the library works on it. */
export interface GrantContext {
  db: Database;
  now: Date;
  /** Authenticated already. */
  client: Client;
  parameters: Record<string, string>;
  /** Network address of the client. */
  address: string;
}

/** A registered client in the form that the library wants. */
export function libraryClient({ id, redirectUris }: Pick<OAuthClient, "id" | "redirectUris">): Client {
  return { id, redirectUris, grants: ["authorization_code", "refresh_token"] };
}

/** What a code or a refresh token stands for. The library carries it along as the user. */
export interface GrantedAccess extends User {
  grant: Pick<OAuthGrant, "id" | "organizationId" | "userId" | "clientId">;
  /** Scopes of the next refresh token. */
  refreshScopes: string[];
}
