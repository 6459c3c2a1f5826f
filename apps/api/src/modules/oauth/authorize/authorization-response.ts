import type { FastifyReply } from "fastify";
import { withParameters } from "../clients/redirect-uri.ts";
import { type AnswerTarget, AuthorizationError } from "./authorization-error.ts";

/** RFC 6749 section 4.1.2, with the issuer of RFC 9207. */
export function redirectWithCode(
  reply: FastifyReply,
  target: AnswerTarget,
  code: string,
  iss: string,
): FastifyReply {
  return reply.redirect(withParameters(target.redirectUri, { code, state: target.state, iss }), 303);
}

/**
 * Sends what concerns the client to its redirect URI, RFC 6749 section 4.1.2.1, with the issuer of RFC 9207.
 *
 * @param status 302 after a GET; 303 after a form, which makes every browser go on with a GET
 */
export async function tellClient(
  reply: FastifyReply,
  status: 302 | 303,
  iss: string,
  answer: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof AuthorizationError)) throw error;
    const { code, message, target } = error;
    const parameters = { error: code, error_description: message, state: target.state, iss };
    return reply.redirect(withParameters(target.redirectUri, parameters), status);
  }
}
