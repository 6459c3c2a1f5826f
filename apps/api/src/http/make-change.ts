import type { ChangeOptions, Database } from "@parley/database";
import type { Change, Publisher, SecretBox } from "@parley/webhooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf } from "./caller.ts";
import { answerOnce, isAnswered, keyOf } from "./idempotency.ts";
import { createTurns } from "./turns.ts";

type ChangeRequest = Pick<FastifyRequest, "caller" | "method" | "url" | "headers" | "body">;

interface MakeChangeOptions<Prepared> extends ChangeOptions {
  /** Runs before the transaction, for example to send a request; not for a repeated `Idempotency-Key`. */
  prepare?: () => Promise<Prepared>;
}

/**
 * Makes the change of a request in one transaction; resolves to the body of the answer. A POST with an `Idempotency-Key`
 * that has an answer gets that answer again, and neither `prepare` nor `make` runs.
 */
export type MakeChange = <Body extends object, Prepared = undefined>(
  request: ChangeRequest,
  reply: FastifyReply,
  make: (change: Change, prepared: Prepared) => Promise<Body>,
  options?: MakeChangeOptions<Prepared>,
) => Promise<Body>;

export function createMakeChange(db: Database, publisher: Publisher, secretBox: SecretBox): MakeChange {
  const inTurn = createTurns();

  return (request, reply, make, { prepare, ...options } = {}) => {
    const { organizationId } = callerOf(request);
    const key = keyOf(request);
    async function run() {
      const repeated = prepare && key !== undefined && (await isAnswered(db, organizationId, key));
      const prepared = repeated ? undefined : await prepare?.();
      return publisher.change(
        organizationId,
        (change) => answerOnce(change, secretBox, request, reply, makeOnce),
        options,
      );

      async function makeOnce(change: Change) {
        if (repeated) throw new Error("the answer of the Idempotency-Key was removed in the meantime");
        return make(change, prepared as Parameters<typeof make>[1]);
      }
    }
    // A second request with the same key waits for the first, because it must not prepare the same change again.
    return prepare && key !== undefined ? inTurn(`${organizationId} ${key}`, run) : run();
  };
}
