import type { ChangeOptions, Database } from "@parley/database";
import type { Change, Publisher, SecretBox } from "@parley/webhooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf } from "./caller.ts";
import { answerOnce, isAnswered, keyOf } from "./idempotency.ts";
import { createTurns } from "./turns.ts";

type ChangeRequest = Pick<FastifyRequest, "caller" | "method" | "url" | "headers" | "body" | "routeOptions">;

/**
 * Makes the change of a request in one transaction; resolves to the body of the answer. A request with an `Idempotency-Key`
 * that has an answer gets that answer again, and `make` does not run.
 */
export type MakeChange = <Body extends object>(
  request: ChangeRequest,
  reply: FastifyReply,
  make: (change: Change) => Promise<Body>,
  options?: ChangeOptions,
) => Promise<Body>;

interface Steps<Prepared, Body> {
  /** Runs before the transaction, for example to send a request; not if the `Idempotency-Key` has an answer. */
  prepare: () => Promise<Prepared>;
  make: (change: Change, prepared: Prepared) => Promise<Body>;
}

/** Like `MakeChange`, with a step before the transaction. */
export type MakePreparedChange = <Prepared, Body extends object>(
  request: ChangeRequest,
  reply: FastifyReply,
  steps: Steps<Prepared, Body>,
  options?: ChangeOptions,
) => Promise<Body>;

interface ChangeFunctions {
  makeChange: MakeChange;
  makePreparedChange: MakePreparedChange;
}

/** Creates the functions by which operations change records. */
export function createMakeChange(db: Database, publisher: Publisher, secretBox: SecretBox): ChangeFunctions {
  const makeChange: MakeChange = (request, reply, make, options) =>
    publisher.change(
      callerOf(request).organizationId,
      (change) => answerOnce(change, secretBox, request, reply, make),
      options,
    );

  const inTurn = createTurns();
  const makePreparedChange: MakePreparedChange = (request, reply, { prepare, make }, options) => {
    const { organizationId } = callerOf(request);
    const key = keyOf(request);
    if (key === undefined) return prepareAndMake();
    // A second request with the same key waits, so that it does not prepare the change again. This holds within this process:
    // if two API processes receive the same key at once, both prepare, and one of them makes the change.
    return inTurn(`${organizationId} ${key}`, async () =>
      (await isAnswered(db, organizationId, key))
        ? makeChange(request, reply, refuseToRepeat, options)
        : prepareAndMake(),
    );

    async function prepareAndMake() {
      const prepared = await prepare();
      return makeChange(request, reply, (change) => make(change, prepared), options);
    }
  };
  return { makeChange, makePreparedChange };
}

async function refuseToRepeat(): Promise<never> {
  throw new Error("the answer of the Idempotency-Key was removed in the meantime");
}
