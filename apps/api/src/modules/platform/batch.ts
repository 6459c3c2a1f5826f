import { apiVersion, type ResponseOf, type Schemas } from "@parley/contract";
import { isDatabaseUnavailable } from "@parley/database";
import type { Change, NewEvent, Publisher } from "@parley/webhooks";
import type { FastifyBaseLogger } from "fastify";
import { ApiError } from "../../http/api-error.ts";
import { checkItem, writeItem } from "./items.ts";
import { writeRecords } from "./write.ts";

type Result = Schemas["BatchResult"];

/** Items that are written in one transaction. It is short, because others wait for the rows that it locks. */
const groupSize = 50;

/**
 * Writes the items in order, in groups. An item that fails changes nothing, and the others are written.
 *
 * @throws Error if the database is unavailable. Items written before stay written; when the batch is sent again, their result is
 *   `unchanged`.
 */
export async function writeBatch(
  publisher: Publisher,
  organizationId: string,
  items: unknown[],
  log: FastifyBaseLogger,
): Promise<ResponseOf<"writeBatch">> {
  const results: Result[] = [];
  while (results.length < items.length) {
    const from = results.length;
    const group = items.slice(from, from + groupSize);
    try {
      results.push(...(await writeGroup(publisher, organizationId, group, from)));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      // For example, another request created one of the records, or updates the same records in another order.
      results.push(...(await writeEach(publisher, organizationId, group, from, log)));
    }
  }
  return { data: results, meta: { api_version: apiVersion, count: items.length, ...counts(results) } };
}

/**
 * Writes the items in one transaction, each after a savepoint.
 *
 * @param from index of the first item in the batch
 * @throws any error other than an ApiError; then nothing is written
 */
async function writeGroup(
  publisher: Publisher,
  organizationId: string,
  items: unknown[],
  from: number,
): Promise<Result[]> {
  return publisher.change(organizationId, async (change) => {
    const results: Result[] = [];
    for (const [i, item] of items.entries()) {
      const index = from + i;
      try {
        results.push(await afterSavepoint(change, (part) => writeOne(part, item, index)));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        results.push(refused(error, index));
      }
    }
    return results;
  });
}

/** Runs a part of a change. If it throws an ApiError, undoes the part and publishes none of its events. */
async function afterSavepoint<Part>(change: Change, make: (change: Change) => Promise<Part>): Promise<Part> {
  const events: NewEvent[] = [];
  await change.tx.$executeRaw`SAVEPOINT item`;
  try {
    const part = await make({ ...change, publish: (event) => void events.push(event) });
    events.forEach(change.publish);
    return part;
  } catch (error) {
    if (error instanceof ApiError) await change.tx.$executeRaw`ROLLBACK TO SAVEPOINT item`;
    throw error;
  }
}

/** Writes each item in its own transaction. */
async function writeEach(
  publisher: Publisher,
  organizationId: string,
  items: unknown[],
  from: number,
  log: FastifyBaseLogger,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [i, item] of items.entries()) {
    const index = from + i;
    try {
      results.push(await writeRecords(publisher, organizationId, (change) => writeOne(change, item, index)));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      if (!(error instanceof ApiError)) log.error({ err: error, index }, "batch item failed");
      results.push(error instanceof ApiError ? refused(error, index) : failed(index));
    }
  }
  return results;
}

async function writeOne(change: Change, item: unknown, index: number): Promise<Result> {
  checkItem(item, `items/${index}`);
  const { type, external_id, attributes } = item;
  const { resource, result } = await writeItem(change, type, external_id, attributes);
  return { index, type, external_id, id: resource.id, result };
}

function refused({ code, message }: ApiError, index: number): Result {
  const description = message.replace(/^body\b/, `items/${index}/attributes`);
  const error_description = description.startsWith("items/") ? description : `items/${index}: ${description}`;
  return { index, result: "failed", error: code, error_description };
}

function failed(index: number): Result {
  const error_description = "An internal error occurred while writing this item.";
  return { index, result: "failed", error: "server_error", error_description };
}

function counts(results: Result[]) {
  const all = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (const { result } of results) all[result] += 1;
  return all;
}
