import type { Fetch } from "./http/exchange.ts";
import type { CallOptions } from "./http/options.ts";
import type { ParleyOptions } from "./options.ts";
import { Chatbots } from "./resources/chatbots.ts";
import { Conversations } from "./resources/conversations.ts";
import { Leads } from "./resources/leads.ts";
import { Meetings } from "./resources/meetings.ts";
import { Tickets } from "./resources/tickets.ts";
import { Webhooks } from "./resources/webhooks.ts";
import { Session } from "./session.ts";
import { tokenSourceOf } from "./token-source.ts";
import type { OrganizationResponse } from "./types.ts";

/**
 * The service, as one organization sees it. Every call returns the envelope `{ data, meta }` (specification §2.1) and
 * throws a {@link ParleyError} when the service refuses or cannot be reached.
 *
 * @example
 * const parley = new Parley({
 *   baseUrl: "https://parley.example.com",
 *   clientId: "client",
 *   clientSecret: "secret",
 *   tokens: { accessToken: "parley_at_0", refreshToken: "parley_rt_0" },
 *   onTokens: (tokens) => stored.write(JSON.stringify(tokens)),
 * });
 */
export class Parley {
  /** The service's root address. */
  readonly baseUrl: string;
  /** Sends a request as every call is sent: with token, key, time-outs and retries; {@link rawClient} builds on it. */
  readonly fetch: Fetch;
  readonly chatbots: Chatbots;
  readonly conversations: Conversations;
  readonly leads: Leads;
  readonly tickets: Tickets;
  readonly meetings: Meetings;
  readonly webhooks: Webhooks;
  readonly #session: Session;

  /** @throws TypeError when an option is missing or cannot be used. */
  constructor(options: ParleyOptions) {
    const session = new Session(options, "/api/v1/", (clock) => tokenSourceOf(options, clock));
    this.baseUrl = session.baseUrl;
    this.fetch = session.fetch;
    this.chatbots = new Chatbots(session);
    this.conversations = new Conversations(session);
    this.leads = new Leads(session);
    this.tickets = new Tickets(session);
    this.meetings = new Meetings(session);
    this.webhooks = new Webhooks(session);
    this.#session = session;
  }

  /**
   * Organization, plan, user, client and scopes of the token: good for testing a connection.
   *
   * @example
   * const { data } = await parley.me();
   * console.log(data.attributes.name);
   */
  me(options?: CallOptions): Promise<OrganizationResponse> {
    return this.#session.call("get", "/api/v1/me", {}, options);
  }
}
