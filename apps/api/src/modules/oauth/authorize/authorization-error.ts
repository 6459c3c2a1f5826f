/** Where the answer to an authorization request goes, once client and redirect URI are known to belong together. */
export interface AnswerTarget {
  redirectUri: string;
  state: string | undefined;
}

type Code = "invalid_request" | "unsupported_response_type" | "invalid_scope" | "access_denied";

/** An error that the client is told by redirect, RFC 6749 section 4.1.2.1. */
export class AuthorizationError extends Error {
  readonly code: Code;
  readonly target: AnswerTarget;

  constructor(code: Code, description: string, target: AnswerTarget) {
    super(description);
    this.code = code;
    this.target = target;
  }
}
