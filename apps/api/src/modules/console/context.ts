import type { Publisher, SecretBox } from "@parley/webhooks";
import type { Dispatcher } from "undici";
import type { AdmitRequest } from "../../http/overload.ts";
import type { SearchLimit } from "../../http/search-limit.ts";
import type { OAuthContext } from "../oauth/context.ts";
import type { SubscriptionPolicy } from "../webhooks/service.ts";
import type { FlashMessages } from "./flash-messages.ts";

/** Dependencies that the pages share. They include those of the authorization server, for signing in. */
export interface ConsoleContext extends OAuthContext {
  flashMessages: FlashMessages;
  /** Counts the requests of an organization, together with its requests of the API. */
  admitRequest: AdmitRequest;
  /** Limits the pages with filters that an organization opens at the same time, together with its searches of the API. */
  searches: SearchLimit;
  publisher: Publisher;
  secretBox: SecretBox;
  /** Limits for subscriptions. */
  policy: SubscriptionPolicy;
  /** Sends test deliveries and checks URLs. */
  client: Dispatcher;
  /** Timeout of a test delivery in milliseconds. */
  timeoutMs: number;
}
