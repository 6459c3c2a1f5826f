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
