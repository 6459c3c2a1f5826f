import type { Call } from "./call.ts";
import type { Fetch } from "./http/exchange.ts";
import type { CallOptions } from "./http/options.ts";
import type { ParleyOptions } from "./options.ts";
import { Chatbots } from "./resources/chatbots.ts";
import { Conversations } from "./resources/conversations.ts";
import { Events } from "./resources/events.ts";
import { Leads } from "./resources/leads.ts";
import { Meetings } from "./resources/meetings.ts";
import { Tickets } from "./resources/tickets.ts";
import { Webhooks } from "./resources/webhooks.ts";
import { Session } from "./session.ts";
import { tokenSourceOf } from "./token-source.ts";
import type { OrganizationResponse } from "./types.ts";

/**
 * Client of the Parley API for one organization. Every call returns `{ data, meta }` and throws a {@link ParleyError} if
 * the API returns an error or cannot be reached.
 *
 * @example
 * const parley = new Parley({
 *   baseUrl: "https://parley.example.com",
 *   clientId: "client",
 *   clientSecret: "secret",
 *   tokens: { accessToken: "parley_at_0", refreshToken: "parley_rt_0" },
 *   onTokens: (tokens) => stored.write(JSON.stringify(tokens)),
 * });
 *
 * @example
 * const fromEnvironment = new Parley(); // with PARLEY_URL and PARLEY_TOKEN
 */
export class Parley {
  /** Root URL of the Parley server, without a trailing slash. */
  readonly baseUrl: string;
  /**
   * Sends a request with access token, idempotency key, timeout and retries, like the methods of this client; see
   * {@link rawClient}. The token and the key are only sent to `/api/v1/` of `baseUrl`.
   */
  readonly fetch: Fetch;
  /** Chatbots of the organization. */
  readonly chatbots: Chatbots;
  /** Conversations between visitors and chatbots, with their messages. */
  readonly conversations: Conversations;
  /** Events of the organization, in order, which need no webhook subscription. */
  readonly events: Events;
  /** Leads of the organization. */
  readonly leads: Leads;
  /** Support tickets of the organization. */
  readonly tickets: Tickets;
  /** Meetings of the organization. */
  readonly meetings: Meetings;
  /** Webhook subscriptions of the organization, and their deliveries. */
  readonly webhooks: Webhooks;
  readonly #session: Session;

  /**
   * Creates a client. It sends no request.
   *
   * @throws TypeError if an option is missing or invalid
   */
  constructor(options: ParleyOptions = {}) {
    const session = new Session(options, "/api/v1/", { tokens: tokenSourceOf(options) });
    this.baseUrl = session.baseUrl;
    this.fetch = session.fetch;
    this.chatbots = new Chatbots(session);
    this.conversations = new Conversations(session);
    this.events = new Events(session);
    this.leads = new Leads(session);
    this.tickets = new Tickets(session);
    this.meetings = new Meetings(session);
    this.webhooks = new Webhooks(session);
    this.#session = session;
  }

  /**
   * Retrieves the organization of the access token, with its plan, and the user, client and scopes of the token. Use it
   * to test a connection. It requires no scope.
   *
   * @example
   * const { data } = await parley.me();
   * console.log(data.attributes.name);
   */
  me(options?: CallOptions): Call<OrganizationResponse> {
    return this.#session.call("get", "/api/v1/me", {}, options);
  }
}
