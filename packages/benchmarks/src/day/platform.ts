import { isDeepStrictEqual } from "node:util";
import type { ResponseOf, Schemas } from "@parley/contract";
import { conformingFetch, platformFolders } from "@parley/contract/testing";
import { type Item, nameOf, type Result } from "./model/model.ts";
import type { PlannedRequest } from "./plan/request.ts";

/** What the platform sent so far, and what it was answered. */
export interface Tally {
  requests: number;
  items: number;
  failed: number;
  /** Names of records by Parley's ids, for example `lead/lead-17`. */
  names: Map<string, string>;
  /** Answers that are not what the model expects, in words. */
  wrong: string[];
}

/** The chatbot platform, as a client of its door; every answer is compared with the contract and with the model. */
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
   * Sends a request, twice at once where the plan says so.
   *
   * @throws when an answer is neither a success nor a refusal with 400
   */
  async send(organizationId: string, request: PlannedRequest): Promise<void> {
    const answers = await Promise.all(
      Array.from({ length: request.twice ? 2 : 1 }, () =>
        request.put ? this.#put(organizationId, request) : this.#batch(organizationId, request),
      ),
    );
    for (const results of answers) {
      this.tally.requests += 1;
      this.tally.items += results.length;
      this.tally.failed += results.filter((result) => result === "failed").length;
    }
    this.#compare(request, answers);
  }

  async #put(organizationId: string, request: PlannedRequest): Promise<Result[]> {
    const { type, external_id: externalId, attributes } = request.items[0] as Item;
    const path = `${platformFolders[type]}/${encodeURIComponent(externalId)}`;
    const response = await this.#call("PUT", `${organizationId}/${path}`, attributes);
    if (response.status === 400) return ["failed"];
    const { data, meta } = (await response.json()) as ResponseOf<"upsertLead">;
    this.tally.names.set(data.id, nameOf(type, externalId));
    return [meta.result];
  }

  async #batch(organizationId: string, { items }: PlannedRequest): Promise<Result[]> {
    const response = await this.#call("POST", `${organizationId}/batch`, { items });
    if (response.status !== 200) throw new Error(`a batch was refused: ${await response.text()}`);
    const { data } = (await response.json()) as ResponseOf<"writeBatch">;
    return data.map((answer, index) => this.#take(answer, index));
  }

  #take(answer: Schemas["BatchResult"], index: number): Result {
    const { names, wrong } = this.tally;
    if (answer.index !== index) wrong.push(`item ${index} was answered as ${answer.index}`);
    if ("id" in answer) names.set(answer.id, nameOf(answer.type, answer.external_id));
    else if (answer.error !== "invalid_request") wrong.push(`${answer.error}: ${answer.error_description}`);
    return answer.result;
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

  /** Of two requests at once, either may make the change; the other finds it made. */
  #compare({ items, results, twice }: PlannedRequest, answers: Result[][]): void {
    for (const [index, expected] of results.entries()) {
      const second = expected === "failed" ? expected : "unchanged";
      const wanted = twice ? [expected, second] : [expected];
      const got = answers.map((answer) => answer[index]);
      if (isDeepStrictEqual(got, wanted) || isDeepStrictEqual(got.toReversed(), wanted)) continue;
      const item = JSON.stringify(items[index]).slice(0, 300);
      this.tally.wrong.push(`${got.join(" and ")} instead of ${wanted.join(" and ")}: ${item}`);
    }
  }
}
