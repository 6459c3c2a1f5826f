import type { OperationId, RequestOf, ResponseOf } from "@parley/contract";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A validated request of one operation. */
export type OperationRequest<Op extends OperationId> = FastifyRequest<{
  Params: RequestOf<Op>["params"];
  Querystring: RequestOf<Op>["query"];
  Body: RequestOf<Op>["body"];
}>;

/** The JSON body of the success that the contract documents; the reply itself for pages and redirects. */
type Result<Op extends OperationId> = [ResponseOf<Op>] extends [never] ? FastifyReply : ResponseOf<Op>;

/** Handlers of some operations of the contract: what a module provides. */
export type Operations<Op extends OperationId> = {
  [Name in Op]: (
    request: OperationRequest<Name>,
    reply: FastifyReply,
  ) => Result<Name> | Promise<Result<Name>>;
};

/** Every operation of the contract: what the server needs. */
export type Handlers = Operations<OperationId>;
