import type { FastifyReply } from "fastify";
import { withParameters } from "../clients/redirect-uri.ts";

/** Redirect URI and state of an authorization request, once the redirect URI is known to belong to the client. */
export interface RedirectTarget {
  redirectUri: string;
  state: string | undefined;
}

type Code = "invalid_request" | "unsupported_response_type" | "invalid_scope" | "access_denied";

/** Error that is returned to the client by redirect, RFC 6749 section 4.1.2.1. */
export class AuthorizationError extends Error {
  readonly code: Code;
  readonly target: RedirectTarget;

  constructor(code: Code, description: string, target: RedirectTarget) {
    super(description);
    this.code = code;
    this.target = target;
  }
}

/** Redirects with the authorization code, RFC 6749 section 4.1.2, and the issuer, RFC 9207 section 2. */
export function redirectWithCode(
  reply: FastifyReply,
  { redirectUri, state }: RedirectTarget,
  code: string,
  iss: string,
): FastifyReply {
  return reply.redirect(withParameters(redirectUri, { code, state, iss }), 303);
}

/**
 * Runs a handler and redirects its AuthorizationErrors to the client, RFC 6749 section 4.1.2.1, with the issuer,
 * RFC 9207 section 2.
 *
 * @param status 302 after a GET; 303 after a form, so that every browser continues with a GET
 */
export async function redirectErrors(
  reply: FastifyReply,
  status: 302 | 303,
  iss: string,
  handle: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await handle();
  } catch (error) {
    if (!(error instanceof AuthorizationError)) throw error;
    const { redirectUri, state } = error.target;
    const parameters = { error: error.code, error_description: error.message, state, iss };
    return reply.redirect(withParameters(redirectUri, parameters), status);
  }
}
