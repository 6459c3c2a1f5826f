import { apiVersion, type ResponseOf, type Schemas } from "@parley/contract";
import { isDatabaseUnavailable } from "@parley/database";
import type { Publisher } from "@parley/webhooks";
import type { FastifyBaseLogger } from "fastify";
import { ApiError } from "../../http/api-error.ts";
import { checkItem, writeItem } from "./items.ts";
import { writeRecords } from "./write.ts";

/**
 * Writes the items in order, each in its own transaction.
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
  const results: Schemas["BatchResult"][] = [];
  for (const [index, item] of items.entries()) {
    try {
      results.push(await writeOne(publisher, organizationId, item, index));
    } catch (error) {
      results.push(failed(error, index, log));
    }
  }
  return { data: results, meta: { api_version: apiVersion, count: items.length, ...counts(results) } };
}

async function writeOne(
  publisher: Publisher,
  organizationId: string,
  item: unknown,
  index: number,
): Promise<Schemas["BatchResult"]> {
  checkItem(item, `items/${index}`);
  const { type, external_id, attributes } = item;
  const { resource, result } = await writeRecords(publisher, organizationId, (change) =>
    writeItem(change, type, external_id, attributes),
  );
  return { index, type, external_id, id: resource.id, result };
}

function failed(error: unknown, index: number, log: FastifyBaseLogger): Schemas["BatchResult"] {
  const at = { index, result: "failed" as const };
  if (error instanceof ApiError) {
    const words = error.message.replace(/^body\b/, `items/${index}/attributes`);
    const error_description = words.startsWith("items/") ? words : `items/${index}: ${words}`;
    return { ...at, error: error.code, error_description };
  }
  if (isDatabaseUnavailable(error)) throw error;
  log.error({ err: error, index }, "batch item failed");
  return {
    ...at,
    error: "server_error",
    error_description: "An internal error occurred while writing this item.",
  };
}

function counts(results: Schemas["BatchResult"][]) {
  const all = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (const { result } of results) all[result] += 1;
  return all;
}
