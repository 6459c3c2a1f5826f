import type { Plan, Scope } from "@parley/contract";
import type { FastifyRequest } from "fastify";

/** The authenticated caller of a request: user, client and grant of its access token. */
export interface Caller {
  organizationId: string;
  organizationName: string;
  plan: Plan;
  userId: string;
  clientId: string;
  grantId: string;
  /** Scopes of the token that the user's role allows. */
  scopes: Scope[];
  /** Scopes of the token that the user's role does not allow any more. */
  lostScopes: Scope[];
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the security handler of operations that need a token; use `callerOf`. */
    caller: Caller | null;
    /** Whether the request may use only records that its app created for its user, because the user's role no longer allows others. */
    onlyAsCreator: boolean;
    /** ID in the path of an authenticated request of the Platform API, of which it is not known whether it exists. */
    platformOrganizationId: string | null;
  }
}

/** Returns the condition for the records that a request may use: all records, or the records that its app created for its user. */
export function creatorFilter(
  request: Pick<FastifyRequest, "caller" | "onlyAsCreator">,
): Partial<Pick<Caller, "userId" | "clientId">> {
  const { userId, clientId } = callerOf(request);
  return request.onlyAsCreator ? { userId, clientId } : {};
}

/**
 * Returns the caller of a request.
 *
 * @throws Error if the operation needs no token, which is a bug in the code
 */
export function callerOf(request: Pick<FastifyRequest, "caller">): Caller {
  if (!request.caller) throw new Error("this operation has no authenticated caller");
  return request.caller;
}
