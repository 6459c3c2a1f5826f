import type { OperationId, RequestOf, ResponseOf } from "@parley/contract";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Validated request of an operation. */
export type OperationRequest<Op extends OperationId> = FastifyRequest<{
  Params: RequestOf<Op>["params"];
  Querystring: RequestOf<Op>["query"];
  Body: RequestOf<Op>["body"];
}>;

/** Result of a handler: the JSON body of the success response, or the reply itself for pages and redirects. */
type Result<Op extends OperationId> = [ResponseOf<Op>] extends [never] ? FastifyReply : ResponseOf<Op>;

/** Handlers of some operations, which a module provides. */
export type Operations<Op extends OperationId> = {
  [Name in Op]: (
    request: OperationRequest<Name>,
    reply: FastifyReply,
  ) => Result<Name> | Promise<Result<Name>>;
};

/** Handlers of all operations, which the server needs. */
export type Handlers = Operations<OperationId>;
