import type { Call } from "../call.ts";
import type { CallOptions, PostOptions } from "../http/options.ts";
import type { List } from "../list.ts";
import type {
  DeletedRecordResponse,
  Lead,
  LeadCreate,
  LeadList,
  LeadResponse,
  LeadUpdate,
  Query,
} from "../types.ts";
import { Resource } from "./resource.ts";

/** Leads of the organization. Scopes: `leads:read` and `leads:write`. */
export class Leads extends Resource {
  /**
   * Lists leads, most recently updated first.
   *
   * @param query - `limit` (1 to 100, default 20), `sort` (default `-updated_at`) and filters
   *
   * @example
   * for await (const lead of parley.leads.list({ status: "new" })) console.log(lead.attributes.contact.email);
   */
  list(query?: Query<"listLeads">, options?: CallOptions): List<Lead, LeadList> {
    return this.session.list("/api/v1/leads", { query }, options);
  }

  /**
   * Retrieves a lead by ID.
   *
   * @param id - ID of the lead
   * @throws {@link NotFoundError} if the organization has no such lead
   *
   * @example
   * const { data: lead } = await parley.leads.get(leadId);
   */
  get(id: string, options?: CallOptions): Call<LeadResponse> {
    return this.session.call("get", "/api/v1/leads/{id}", { path: { id } }, options);
  }

  /**
   * Creates a lead. Publishes `lead.created`, and `lead.qualified` when the score reaches the chatbot's qualification
   * threshold.
   *
   * @throws {@link InvalidRequestError} if a field is invalid
   *
   * @example
   * const { data: lead } = await parley.leads.create({ chatbot_id: chatbotId, contact: { email: "ada@example.com" } });
   */
  create(body: LeadCreate, options?: PostOptions): Call<LeadResponse> {
    return this.session.call("post", "/api/v1/leads", { body }, options);
  }

  /**
   * Updates the given fields of a lead. Fields that you leave out keep their values.
   *
   * @param id - ID of the lead
   * @throws {@link InvalidRequestError} if a field is invalid
   * @throws {@link NotFoundError} if the organization has no such lead
   *
   * @example
   * const { data: lead } = await parley.leads.update(leadId, { status: "qualified", score: 80 });
   */
  update(id: string, body: LeadUpdate, options?: CallOptions): Call<LeadResponse> {
    return this.session.call("patch", "/api/v1/leads/{id}", { path: { id }, body }, options);
  }

  /**
   * Deletes a lead. Its conversations, tickets and meetings are kept, without a reference to it. Publishes no event.
   *
   * @param id - ID of the lead
   * @throws {@link NotFoundError} if the organization has no such lead. After a retry, an earlier attempt may have deleted it
   *
   * @example
   * await parley.leads.delete(leadId);
   */
  delete(id: string, options?: CallOptions): Call<DeletedRecordResponse> {
    return this.session.call("delete", "/api/v1/leads/{id}", { path: { id } }, options);
  }
}
