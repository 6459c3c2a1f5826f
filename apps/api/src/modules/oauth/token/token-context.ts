import type { Database, OAuthClient } from "@parley/database";

/** One token request of an authenticated client. */
export interface TokenContext {
  db: Database;
  now: Date;
  client: Pick<OAuthClient, "id">;
  /** Network address of the client. */
  address: string;
}
