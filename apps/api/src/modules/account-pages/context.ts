import type { SecretBox } from "@parley/webhooks";
import type { OAuthContext } from "../oauth/context.ts";
import { createFlashMessages, type FlashMessages } from "./flash-messages.ts";

/** What the pages share: sign-in as on the authorization page, and flash messages. */
export interface PagesContext extends OAuthContext {
  flashMessages: FlashMessages;
}

export function createPagesContext(oauth: OAuthContext, secretBox: SecretBox): PagesContext {
  return { ...oauth, flashMessages: createFlashMessages(oauth.db, secretBox, oauth.clock) };
}
