import type { Publisher, SecretBox } from "@parley/webhooks";
import type { Dispatcher } from "undici";
import type { OAuthContext } from "../oauth/context.ts";
import type { SubscriptionPolicy } from "../webhooks/service.ts";
import type { FlashMessages } from "./flash-messages.ts";

/** Dependencies that the pages share. They include those of the authorization server, for signing in. */
export interface ConsoleContext extends OAuthContext {
  flashMessages: FlashMessages;
  publisher: Publisher;
  secretBox: SecretBox;
  /** Limits for subscriptions. */
  policy: SubscriptionPolicy;
  /** Sends test deliveries and checks URLs. */
  client: Dispatcher;
  /** Timeout of a test delivery in milliseconds. */
  timeoutMs: number;
}
