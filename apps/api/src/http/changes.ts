import type { ChangeOptions } from "@parley/database";
import type { Change, Publisher, SecretBox } from "@parley/webhooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf } from "./caller.ts";
import { answerOnce } from "./idempotency.ts";

/** Makes the change that a request asks for, in one transaction, and answers with what it returns. */
export type MakeChange = <Body extends object>(
  request: Pick<FastifyRequest, "caller" | "method" | "url" | "headers" | "body">,
  reply: FastifyReply,
  make: (change: Change) => Promise<Body>,
  options?: ChangeOptions,
) => Promise<Body>;

/** A POST that repeats an `Idempotency-Key` gets the first answer again. */
export function createMakeChange(publisher: Publisher, secretBox: SecretBox): MakeChange {
  return (request, reply, make, options) => {
    const { method, url, body } = request;
    const key = keyOf(request);
    async function once(change: Change) {
      if (key === undefined) return make(change);
      const wanted = { key, request: [method, url, body] };
      const { answer, replayed } = await answerOnce(change, secretBox, wanted, async () => {
        const made = await make(change);
        return { status: reply.statusCode, location: reply.getHeader("location"), body: made };
      });
      if (replayed) {
        reply.code(answer.status).header("idempotent-replayed", "true");
        if (answer.location) reply.header("location", answer.location);
      }
      return answer.body;
    }
    return publisher.change(callerOf(request).organizationId, once, options);
  };
}

/** The `Idempotency-Key` of a POST. */
export function keyOf({ method, headers }: Pick<FastifyRequest, "method" | "headers">): string | undefined {
  const key = headers["idempotency-key"];
  return method === "POST" && typeof key === "string" ? key : undefined;
}
