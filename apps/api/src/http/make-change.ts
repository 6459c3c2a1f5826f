import type { ChangeOptions, Database } from "@parley/database";
import type { Actor } from "@parley/database/accounts";
import type { Change, Publisher, SecretBox } from "@parley/webhooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf } from "./caller.ts";
import { hasStoredResponse, keyOf, runOnce } from "./idempotency.ts";
import { createKeyedMutex } from "./keyed-mutex.ts";

type ChangeRequest = Pick<
  FastifyRequest,
  "caller" | "ip" | "method" | "url" | "headers" | "body" | "routeOptions"
>;

/** Change with its author, for the audit log. */
export interface AuthoredChange extends Change {
  by: Actor;
}

/**
 * Makes the change of a request in one transaction, and resolves to the response body. If a response is stored for the
 * request's `Idempotency-Key`, it resolves to the stored response without running `make`.
 */
export type MakeChange = <Body extends object>(
  request: ChangeRequest,
  reply: FastifyReply,
  make: (change: AuthoredChange) => Promise<Body>,
  options?: ChangeOptions,
) => Promise<Body>;

interface Steps<Prepared, Body> {
  /**
   * Runs before the transaction, for example to send a request. Does not run if a response is stored for the
   * `Idempotency-Key`.
   */
  prepare: () => Promise<Prepared>;
  make: (change: AuthoredChange, prepared: Prepared) => Promise<Body>;
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

/** Creates the functions that operations use to change records. */
export function createMakeChange(db: Database, publisher: Publisher, secretBox: SecretBox): ChangeFunctions {
  const makeChange: MakeChange = (request, reply, make, options) =>
    publisher.change(
      callerOf(request).organizationId,
      (change) => runOnce({ ...change, by: authorOf(request) }, secretBox, request, reply, make),
      options,
    );

  const serialize = createKeyedMutex();
  const makePreparedChange: MakePreparedChange = (request, reply, { prepare, make }, options) => {
    const { organizationId } = callerOf(request);
    const key = keyOf(request);
    if (key === undefined) return prepareAndMake();
    // A second request with the same key waits, so that it does not run `prepare` again. That holds only within this process: if
    // two API processes receive the same key at once, both run `prepare`, and one of them makes the change.
    return serialize(`${organizationId} ${key}`, async () =>
      (await hasStoredResponse(db, organizationId, key))
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

function authorOf(request: Pick<FastifyRequest, "caller" | "ip">): Actor {
  const { userId, clientId, grantId } = callerOf(request);
  return { userId, clientId, grantId, address: request.ip };
}

async function refuseToRepeat(): Promise<never> {
  throw new Error("the stored response of the Idempotency-Key was removed in the meantime");
}
