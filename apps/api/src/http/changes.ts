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
    const { method, url, body } = request;
    const key = method === "POST" ? request.headers["idempotency-key"] : undefined;
    return publisher.change(callerOf(request).organizationId, async (change) => {
      if (typeof key !== "string") return make(change);
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
    });
  };
}
