/**
 * `@parley/sdk`: client of the Parley API. `@parley/sdk/webhooks` verifies webhook deliveries.
 *
 * @packageDocumentation
 */

export type { Call, RateLimit, ResponseDetails } from "./call.ts";
export * from "./errors/index.ts";
export type { FeedEvent, Follow, FollowOptions } from "./follow.ts";
/** Types of the whole contract, for {@link rawClient}: `components` by name, `operations` by ID, and `paths` by path. */
export type { components, operations, paths } from "./generated/schema.ts";
export type { Clock } from "./http/clock.ts";
export type { Fetch } from "./http/exchange.ts";
export type { Hooks, RequestContext, ResponseContext, RetryContext } from "./http/hooks.ts";
export type { Logger, LogLevel, LogOptions } from "./http/log.ts";
export type { CallOptions, ConnectionOptions, PostOptions, ServerOptions } from "./http/options.ts";
export type { List, ListEnvelope } from "./list.ts";
export * from "./oauth/index.ts";
export type { ParleyOptions } from "./options.ts";
export { Parley } from "./parley.ts";
export {
  type DeletablePlatformKind,
  ParleyPlatform,
  type ParleyPlatformOptions,
  type PlatformKind,
  type PlatformOrganization,
  type PlatformRecord,
} from "./platform.ts";
export { type Changing, type Poll, type Pollable, type PollOptions, poll } from "./poll.ts";
export { type RawClient, rawClient } from "./raw-client.ts";
export type { Chatbots } from "./resources/chatbots.ts";
export type { Conversations } from "./resources/conversations.ts";
export type { Events } from "./resources/events.ts";
export type { Leads } from "./resources/leads.ts";
export type { Meetings } from "./resources/meetings.ts";
export type { Tickets } from "./resources/tickets.ts";
export type { Webhooks } from "./resources/webhooks.ts";
export type * from "./types.ts";
