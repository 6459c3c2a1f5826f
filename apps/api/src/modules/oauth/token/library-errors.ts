import OAuth2Server from "@node-oauth/oauth2-server";
import { ApiError } from "../../../http/api-error.ts";

const words: Record<string, string> = {
  "Missing parameter: `code_verifier`":
    "The code_verifier is missing: the authorization request carried a code_challenge.",
  "Invalid grant: code verifier is invalid":
    "The code_verifier does not belong to the code_challenge of the authorization request.",
  "Invalid grant: authorization code is invalid": "The authorization code is expired or invalid.",
  "Invalid grant: authorization code has expired": "The authorization code is expired or invalid.",
  "Invalid grant: refresh token is invalid": "The refresh token is expired or invalid.",
  "Invalid grant: refresh token has expired": "The refresh token is expired or invalid.",
  "Invalid grant: refresh token is invalid or could not be revoked":
    "The refresh token is expired or invalid.",
};

/**
 * Runs the library and gives its errors our form. It wraps what a model throws, and what it does not expect, into
 * a ServerError: that is unwrapped, so that our own errors and the database's reach the server's error handler.
 */
export async function translateErrors<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw translate(error);
  }
}

function translate(error: unknown): unknown {
  if (error instanceof OAuth2Server.ServerError) return (error as { inner?: unknown }).inner ?? error;
  if (error instanceof OAuth2Server.InvalidGrantError) {
    return new ApiError(400, "invalid_grant", words[error.message] ?? "The grant is expired or invalid.");
  }
  // A code, refresh token or redirect URI of characters that RFC 6749 appendix A does not have.
  if (error instanceof OAuth2Server.InvalidRequestError) {
    return new ApiError(400, "invalid_request", "A parameter holds characters that it cannot have.");
  }
  return error; // Every other request is refused before the library sees it, so this is a fault of ours: 500.
}
