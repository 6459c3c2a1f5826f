import { createHash } from "node:crypto";
import { type Database, idempotencyKeyLifetime } from "@parley/database";
import type { Change, SecretBox } from "@parley/webhooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import { callerOf } from "./caller.ts";

interface StoredResponse {
  status: number;
  location: ReturnType<FastifyReply["getHeader"]>;
  body: object;
}

/**
 * Returns the `Idempotency-Key` of a request after its client and user, because a stored response can contain a secret that only they may
 * know. Undefined without a key, and for operations that do not support it.
 */
export function keyOf(
  request: Pick<FastifyRequest, "caller" | "headers" | "routeOptions">,
): string | undefined {
  const key = request.headers["idempotency-key"];
  const isSupported = request.routeOptions.config.operation?.takesIdempotencyKey;
  if (!isSupported || typeof key !== "string") return undefined;
  const { clientId, userId } = callerOf(request);
  return [clientId, userId, key].join("\n");
}

/** Checks whether a response is stored for the key. */
export async function hasStoredResponse(
  db: Pick<Database, "$queryRaw">,
  organizationId: string,
  key: string,
): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT 1 FROM idempotency_keys
    WHERE organization_id = ${organizationId}::uuid AND key = ${key} AND created_at >= now() - ${idempotencyKeyLifetime}::interval`;
  return rows.length > 0;
}

/**
 * Makes a change when its `Idempotency-Key` is used for the first time. Afterwards, returns the stored response until
 * the key expires. Key, change and response are committed atomically. A concurrent request with the same key waits.
 *
 * @returns the body; the reply has the status and the headers of the first response
 * @throws ApiError 400 if the key was used for another request
 */
export async function runOnce<Body extends object, SomeChange extends Change>(
  change: SomeChange,
  secretBox: SecretBox,
  request: Pick<FastifyRequest, "caller" | "method" | "url" | "headers" | "body" | "routeOptions">,
  reply: FastifyReply,
  make: (change: SomeChange) => Promise<Body>,
): Promise<Body> {
  const key = keyOf(request);
  if (key === undefined) return make(change);
  const { organizationId } = change;
  const { method, url, body } = request;
  const hash = createHash("sha256")
    .update(JSON.stringify([method, url, body]))
    .digest();
  if (await claimKey(change, key, hash)) {
    const made = await make(change);
    const response = { status: reply.statusCode, location: reply.getHeader("location"), body: made };
    await change.tx.idempotencyKey.update({
      where: { organizationId_key: { organizationId, key } },
      data: { response: secretBox.encrypt(JSON.stringify(response), organizationId) },
    });
    return made;
  }
  const first = await readStoredResponse(change, secretBox, key, hash);
  reply.code(first.status).header("idempotent-replayed", "true");
  if (first.location) reply.header("location", first.location);
  return first.body as Body;
}

/** Inserts the key; returns false if it exists and has not expired. */
async function claimKey({ tx, organizationId }: Change, key: string, hash: Uint8Array): Promise<boolean> {
  const claimed = await tx.$executeRaw`
    INSERT INTO idempotency_keys AS kept (organization_id, key, request_hash)
    VALUES (${organizationId}::uuid, ${key}, ${hash})
    ON CONFLICT (organization_id, key) DO UPDATE
      SET request_hash = excluded.request_hash, created_at = now(), response = NULL
      WHERE kept.created_at < now() - ${idempotencyKeyLifetime}::interval`;
  return claimed === 1;
}

async function readStoredResponse(
  change: Change,
  secretBox: SecretBox,
  key: string,
  hash: Uint8Array,
): Promise<StoredResponse> {
  const { tx, organizationId } = change;
  const kept = await tx.idempotencyKey.findUniqueOrThrow({
    where: { organizationId_key: { organizationId, key } },
  });
  if (!kept.response) {
    const message = `The response to this Idempotency-Key was removed because the data of a person was erased. Use a new key to repeat the change.`;
    throw new ApiError(400, "invalid_request", message);
  }
  if (!Buffer.from(kept.requestHash).equals(hash)) {
    const message = `The Idempotency-Key was used for a different request within the last ${idempotencyKeyLifetime}. Use a new key for each change.`;
    throw new ApiError(400, "invalid_request", message);
  }
  return JSON.parse(secretBox.decrypt(kept.response, organizationId));
}
