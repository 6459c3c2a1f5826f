import type { Change, Publisher, SecretBox } from "@parley/webhooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf } from "./caller.ts";
import { answerOnce } from "./idempotency.ts";

/** Makes the change that a request asks for, in one transaction, and answers with what it returns. */
export type MakeChange = <Body extends object>(
  request: Pick<FastifyRequest, "caller" | "method" | "url" | "headers" | "body">,
  reply: FastifyReply,
  make: (change: Change) => Promise<Body>,
) => Promise<Body>;

/** A POST that repeats an `Idempotency-Key` gets the first answer again. */
export function createMakeChange(publisher: Publisher, secretBox: SecretBox): MakeChange {
  return (request, reply, make) => {
    const { organizationId } = callerOf(request);
    const key = request.method === "POST" ? request.headers["idempotency-key"] : undefined;
    return publisher.change(organizationId, (change) =>
      typeof key === "string" ? answerOnce(change, secretBox, key, request, reply, make) : make(change),
    );
  };
}
