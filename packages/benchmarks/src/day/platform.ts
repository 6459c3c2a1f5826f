import { isDeepStrictEqual } from "node:util";
import type { ResponseOf } from "@parley/contract";
import { conformingFetch, platformFolders } from "@parley/contract/testing";
import { type Item, nameOf } from "./item.ts";
import type { Result } from "./model.ts";
import type { PlannedRequest } from "./requests.ts";

/** The requests of the platform and the responses. */
export interface Tally {
  requests: number;
  items: number;
  failed: number;
  /** Names of records by Parley's ids, for example `lead/lead-17`. */
  names: Map<string, string>;
  /** Descriptions of responses that the model does not expect. */
  wrong: string[];
}

/** A client of the Platform API. It compares every response with the contract and with the model. */
export class Platform {
  readonly tally: Tally = { requests: 0, items: 0, failed: 0, names: new Map(), wrong: [] };
  readonly #root: string;
  readonly #headers: Record<string, string>;
  readonly #fetch = conformingFetch();

  constructor(url: string, platformKey: string) {
    this.#root = `${url}/api/platform/v1/organizations`;
    this.#headers = { authorization: `Bearer ${platformKey}`, "content-type": "application/json" };
  }

  /**
   * Sends a request, or two concurrent requests if the plan requires it.
   *
   * @throws if the status of a response is neither a success nor 400
   */
  async send(organizationId: string, request: PlannedRequest): Promise<void> {
    const { items, results, twice } = request;
    const send = () =>
      request.put ? this.#put(organizationId, items[0] as Item) : this.#batch(organizationId, items);
    const responses = await Promise.all(twice ? [send(), send()] : [send()]);
    for (const response of responses) {
      this.tally.requests += 1;
      this.tally.items += response.length;
      this.tally.failed += response.filter((result) => result === "failed").length;
    }
    for (const [index, expected] of results.entries()) {
      // Either of two concurrent requests may make the change; the result of the other is `unchanged`.
      const second = expected === "failed" ? expected : "unchanged";
      const wanted = twice ? [expected, second] : [expected];
      const got = responses.map((response) => response[index]);
      if (isDeepStrictEqual(got, wanted) || isDeepStrictEqual(got.toReversed(), wanted)) continue;
      const item = JSON.stringify(items[index]).slice(0, 300);
      this.tally.wrong.push(`${got.join(" and ")} instead of ${wanted.join(" and ")}: ${item}`);
    }
  }

  async #put(organizationId: string, { type, external_id, attributes }: Item): Promise<Result[]> {
    const path = `${organizationId}/${platformFolders[type]}/${encodeURIComponent(external_id)}`;
    const response = await this.#call("PUT", path, attributes);
    if (response.status === 400) return ["failed"];
    const { data, meta } = (await response.json()) as ResponseOf<"upsertLead">;
    this.tally.names.set(data.id, nameOf(type, external_id));
    return [meta.result];
  }

  async #batch(organizationId: string, items: unknown[]): Promise<Result[]> {
    const response = await this.#call("POST", `${organizationId}/batch`, { items });
    if (response.status !== 200) throw new Error(`a batch was refused: ${await response.text()}`);
    const { data } = (await response.json()) as ResponseOf<"writeBatch">;
    const { names, wrong } = this.tally;
    return data.map((result, index) => {
      if (result.index !== index) wrong.push(`item ${index} has the result of item ${result.index}`);
      if ("id" in result) names.set(result.id, nameOf(result.type, result.external_id));
      else if (result.error !== "invalid_request") wrong.push(`${result.error}: ${result.error_description}`);
      return result.result;
    });
  }

  async #call(method: string, path: string, body: object): Promise<Response> {
    const response = await this.#fetch(`${this.#root}/${path}`, {
      method,
      headers: this.#headers,
      body: JSON.stringify(body),
    });
    if (response.ok || response.status === 400) return response;
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }
}
