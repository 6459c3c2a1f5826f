import { createHash } from "node:crypto";
import type { Database } from "@parley/database";
import type { Change, SecretBox } from "@parley/webhooks";
import { ApiError } from "./api-error.ts";

/** A key that a caller chose for a request, and the request that it stands for. */
export interface RequestKey {
  key: string;
  /** Everything that makes it another request when it differs. */
  request: unknown;
}

/**
 * Makes the change the first time a key is used, and gives the first answer again for 24 hours. Key, change and answer are
 * committed together: there is no moment at which one is there without the others. A twin that comes meanwhile waits.
 *
 * @param make its answer is kept as JSON, sealed
 * @throws ApiError 400 when the key was used for another request
 */
export async function answerOnce<Answer extends object>(
  change: Change,
  secretBox: SecretBox,
  { key, request }: RequestKey,
  make: () => Promise<Answer>,
): Promise<{ answer: Answer; replayed: boolean }> {
  const hash = createHash("sha256").update(JSON.stringify(request)).digest();
  if (!(await claimKey(change, key, hash))) {
    return { answer: (await firstAnswer(change, secretBox, key, hash)) as Answer, replayed: true };
  }
  const answer = await make();
  await keepAnswer(change, secretBox, key, answer);
  return { answer, replayed: false };
}

/** Whether a key has an answer already, for what is done before the change. */
export async function isAnswered(
  db: Pick<Database, "$queryRaw">,
  organizationId: string,
  key: string,
): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT 1 FROM idempotency_keys
    WHERE organization_id = ${organizationId}::uuid AND key = ${key} AND created_at >= now() - interval '24 hours'`;
  return rows.length > 0;
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

async function keepAnswer(change: Change, secretBox: SecretBox, key: string, answer: object): Promise<void> {
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
): Promise<unknown> {
  const { tx, organizationId } = change;
  const kept = await tx.idempotencyKey.findUniqueOrThrow({
    where: { organizationId_key: { organizationId, key } },
  });
  if (!kept.answer || !Buffer.from(kept.requestHash).equals(hash)) {
    const words =
      "The Idempotency-Key was used for another request within 24 hours; use a new one for each change.";
    throw new ApiError(400, "invalid_request", words);
  }
  return JSON.parse(secretBox.open(kept.answer, organizationId));
}
