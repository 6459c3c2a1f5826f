import type { FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";

const longestWaitMs = 2_000;
/** Number of waiting searches of an organization for each running one. */
const longestQueueFactor = 4;

interface Queue {
  running: number;
  waiting: Set<(isFree: boolean) => void>;
}

/** Limits how many searches of an organization this process runs at the same time. */
export class SearchLimit {
  readonly #max: number;
  readonly #onRefused: () => void;
  readonly #queues = new Map<string, Queue>();

  /** @param max searches at the same time; 0 for no limit */
  constructor(max: number, onRefused: () => void = () => undefined) {
    this.#max = max;
    this.#onRefused = onRefused;
  }

  /**
   * Runs a search. If too many of the organization run, waits for up to two seconds.
   *
   * @throws ApiError 429 if the wait was not long enough, or too many searches wait
   */
  async run<Result>(organizationId: string, search: () => Result | Promise<Result>): Promise<Result> {
    if (this.#max === 0) return search();
    const queue = this.#queues.get(organizationId) ?? { running: 0, waiting: new Set() };
    this.#queues.set(organizationId, queue);
    if (queue.running >= this.#max) await this.#wait(queue);
    else queue.running += 1;
    try {
      return await search();
    } finally {
      this.#end(organizationId, queue);
    }
  }

  /** Waits until a search ends, whose place the caller then has. */
  async #wait(queue: Queue): Promise<void> {
    if (queue.waiting.size >= this.#max * longestQueueFactor) throw this.#tooMany();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    queue.waiting.add(resolve);
    const timer = setTimeout(() => {
      queue.waiting.delete(resolve);
      resolve(false);
    }, longestWaitMs);
    const isFree = await promise;
    clearTimeout(timer);
    if (!isFree) throw this.#tooMany();
  }

  #end(organizationId: string, queue: Queue): void {
    const [next] = queue.waiting;
    if (next) {
      queue.waiting.delete(next);
      next(true);
      return;
    }
    queue.running -= 1;
    if (queue.running === 0) this.#queues.delete(organizationId);
  }

  #tooMany(): ApiError {
    this.#onRefused();
    const description = `Rate limit exceeded: the organization runs ${this.#max} searches at the same time. Retry after 60 seconds.`;
    return new ApiError(429, "rate_limit_exceeded", description, { "retry-after": "1" });
  }
}

/** From this offset on, the skipped records cost more than the page. */
const largeOffset = 1_000;
const timeBounds = ["since", "updated_before", "created_after", "created_before"];

/** Checks whether a list request searches a text, skips many records, or counts the records of a range of times. */
export function isSearch({ method, query }: Pick<FastifyRequest, "method" | "query">): boolean {
  if (method !== "GET") return false;
  const parameters = query as Record<string, unknown>;
  const offset = Number(parameters["offset"] ?? 0);
  return (
    parameters["q"] !== undefined ||
    offset >= largeOffset ||
    timeBounds.filter((name) => parameters[name] !== undefined).length > 1
  );
}

/** Checks whether a page of the console has filters. */
export function isFiltered({ query }: Pick<FastifyRequest, "query">): boolean {
  return Object.keys(query as object).some((name) => name !== "cursor" && name !== "confirm");
}
