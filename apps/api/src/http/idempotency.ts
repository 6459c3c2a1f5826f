import { createHash } from "node:crypto";
import type { Change, SecretBox } from "@parley/webhooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";

interface Answer {
  status: number;
  location: string | undefined;
  body: object;
}

/**
 * Makes the change the first time a key is used, and gives the first answer again for 24 hours. Key, change and answer are
 * committed together: there is no moment at which one is there without the others. A twin that comes meanwhile waits.
 *
 * @throws ApiError 400 when the key was used for another request
 */
export async function answerOnce<Body extends object>(
  change: Change,
  secretBox: SecretBox,
  key: string,
  request: Pick<FastifyRequest, "method" | "url" | "body">,
  reply: FastifyReply,
  make: (change: Change) => Promise<Body>,
): Promise<Body> {
  const hash = requestHash(request);
  if (await claimKey(change, key, hash)) {
    const body = await make(change);
    const location = reply.getHeader("location") as string | undefined;
    await keepAnswer(change, secretBox, key, { status: reply.statusCode, location, body });
    return body;
  }
  const first = await firstAnswer(change, secretBox, key, hash);
  reply.code(first.status).header("idempotent-replayed", "true");
  if (first.location) reply.header("location", first.location);
  return first.body as Body;
}

/** @returns whether the key is new, or older than 24 hours */
async function claimKey({ tx, organizationId }: Change, key: string, hash: Uint8Array): Promise<boolean> {
  const claimed = await tx.$executeRaw`
    INSERT INTO idempotency_keys AS kept (organization_id, key, request_hash)
    VALUES (${organizationId}::uuid, ${key}, ${hash})
    ON CONFLICT (organization_id, key) DO UPDATE
      SET request_hash = excluded.request_hash, created_at = now(), answer = NULL
      WHERE kept.created_at < now() - interval '24 hours'`;
  return claimed === 1;
}

async function keepAnswer(change: Change, secretBox: SecretBox, key: string, answer: Answer): Promise<void> {
  const { tx, organizationId } = change;
  await tx.idempotencyKey.update({
    where: { organizationId_key: { organizationId, key } },
    data: { answer: secretBox.seal(JSON.stringify(answer), organizationId) },
  });
}

async function firstAnswer(
  change: Change,
  secretBox: SecretBox,
  key: string,
  hash: Uint8Array,
): Promise<Answer> {
  const { tx, organizationId } = change;
  const kept = await tx.idempotencyKey.findUniqueOrThrow({
    where: { organizationId_key: { organizationId, key } },
  });
  if (!kept.answer || !Buffer.from(kept.requestHash).equals(hash)) {
    const words =
      "The Idempotency-Key was used for another request within 24 hours; use a new one for each change.";
    throw new ApiError(400, "invalid_request", words);
  }
  return JSON.parse(secretBox.open(kept.answer, organizationId)) as Answer;
}

function requestHash({ method, url, body }: Pick<FastifyRequest, "method" | "url" | "body">): Uint8Array {
  return createHash("sha256")
    .update(JSON.stringify([method, url, body]))
    .digest();
}
