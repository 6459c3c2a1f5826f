import type { SecretBox } from "@parley/webhooks";
import type { OAuthContext } from "../oauth/context.ts";
import { createMessages, type Messages } from "./messages.ts";

/** What the pages share: sign-in as on the authorization page, and what one page leaves for the next. */
export interface PagesContext extends OAuthContext {
  messages: Messages;
}

export function createPagesContext(oauth: OAuthContext, secretBox: SecretBox): PagesContext {
  return { ...oauth, messages: createMessages(oauth.db, secretBox, oauth.clock) };
}
