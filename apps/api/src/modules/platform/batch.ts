import { apiVersion, type ResponseOf, type Schemas } from "@parley/contract";
import { isDatabaseUnavailable } from "@parley/database";
import type { FastifyBaseLogger } from "fastify";
import { ApiError } from "../../http/api-error.ts";
import { checkItem, writeItem } from "./items.ts";
import type { WriteOnce } from "./write.ts";

/**
 * Writes the items one after the other, each in a transaction of its own.
 *
 * @param key of the request; each item is kept under it with its place
 * @throws when the database is away: what was written stays, and the batch is to be sent again
 */
export async function writeBatch(
  writeOnce: WriteOnce,
  organizationId: string,
  items: unknown[],
  key: string | undefined,
  log: FastifyBaseLogger,
): Promise<ResponseOf<"writeBatch">> {
  const results: Schemas["BatchResult"][] = [];
  for (const [index, item] of items.entries()) {
    try {
      results.push(await writeOne(writeOnce, organizationId, item, index, key));
    } catch (error) {
      results.push(failed(error, index, log));
    }
  }
  return { data: results, meta: { api_version: apiVersion, count: items.length, ...counts(results) } };
}

async function writeOne(
  writeOnce: WriteOnce,
  organizationId: string,
  item: unknown,
  index: number,
  key: string | undefined,
): Promise<Schemas["BatchResult"]> {
  checkItem(item, `items/${index}`);
  const { type, external_id, attributes } = item;
  const requestKey = key === undefined ? undefined : { key: `${key} ${index}`, request: item };
  const { answer } = await writeOnce(organizationId, requestKey, async (change) => {
    const { resource, result } = await writeItem(change, type, external_id, attributes);
    return { id: resource.id, result };
  });
  return { index, type, external_id, ...answer };
}

function failed(error: unknown, index: number, log: FastifyBaseLogger): Schemas["BatchResult"] {
  const at = { index, result: "failed" as const };
  if (error instanceof ApiError) {
    const words = error.message.replace(/^body\b/, `items/${index}/attributes`);
    const error_description = words.startsWith("items/") ? words : `items/${index}: ${words}`;
    return { ...at, error: error.code, error_description };
  }
  if (isDatabaseUnavailable(error)) throw error;
  log.error({ err: error, index }, "an item of a batch failed");
  return { ...at, error: "server_error", error_description: "An internal error occurred at this item." };
}

function counts(results: Schemas["BatchResult"][]) {
  const all = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (const { result } of results) all[result] += 1;
  return all;
}
