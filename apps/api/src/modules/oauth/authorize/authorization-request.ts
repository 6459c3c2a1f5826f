import type { Scope } from "@parley/contract";
import type { Database, OAuthClient } from "@parley/database";
import { ApiError } from "../../../http/api-error.ts";
import { isRegistered } from "../clients/redirect-uri.ts";
import { isRepeated, type Parameters, parameter } from "../parameters.ts";
import { isCodeChallenge } from "../pkce.ts";
import { parseScope } from "../scope.ts";
import { AuthorizationError, type RedirectTarget } from "./authorization-response.ts";

/** Client of an authorization request, with a redirect URI that it registered. */
export interface RequestingClient extends RedirectTarget {
  client: OAuthClient;
}

/** Valid authorization request, RFC 6749 section 4.1.1 and RFC 7636 section 4.3. */
export interface AuthorizationRequest extends RequestingClient {
  scopes: Scope[];
  codeChallenge: string | undefined;
}

/**
 * Finds the client and checks that the redirect URI is registered for it. Until both are known, the browser must not be
 * redirected, RFC 6749 section 4.1.2.1.
 *
 * @throws ApiError 400, which is shown to the user
 */
export async function findRequestingClient(db: Database, query: Parameters): Promise<RequestingClient> {
  const client = await findClient(db, query);
  const redirectUri = requireSingle(query, "redirect_uri");
  if (!isRegistered(redirectUri, client.redirectUris)) {
    throw new ApiError(
      400,
      "invalid_request",
      "The redirect_uri is not registered for this app. Register it first, or use a registered one.",
    );
  }
  return { client, redirectUri, state: parameter(query, "state") };
}

/**
 * Parses the other parameters.
 *
 * @throws AuthorizationError, which is returned to the client
 */
export function readAuthorizationRequest(
  query: Parameters,
  requesting: RequestingClient,
): AuthorizationRequest {
  return { ...requesting, ...readParameters(query, requesting) };
}

async function findClient(db: Database, query: Parameters): Promise<OAuthClient> {
  const client = await db.oAuthClient.findUnique({ where: { id: requireSingle(query, "client_id") } });
  if (!client)
    throw new ApiError(
      400,
      "invalid_client",
      "No app with this client_id is registered. Check the client_id.",
    );
  return client;
}

function requireSingle(query: Parameters, name: string): string {
  const value = parameter(query, name);
  if (value !== undefined) return value;
  const problem = isRepeated(query, name) ? "was sent more than once" : "is missing";
  throw new ApiError(400, "invalid_request", `The parameter ${name} ${problem}.`);
}

const names = ["response_type", "scope", "state", "code_challenge", "code_challenge_method"];

function readParameters(query: Parameters, requesting: RequestingClient) {
  const refuse = (code: AuthorizationError["code"], description: string): never => {
    throw new AuthorizationError(code, description, requesting);
  };
  const repeated = names.find((name) => isRepeated(query, name));
  if (repeated) refuse("invalid_request", `The parameter ${repeated} was sent more than once.`);

  const [responseType, scope, , challenge, method] = names.map((name) => parameter(query, name));
  if (!responseType) return refuse("invalid_request", "The parameter response_type is missing.");
  if (responseType !== "code") return refuse("unsupported_response_type", "The response_type must be code.");
  if (!scope) return refuse("invalid_request", "The parameter scope is missing.");
  const parsed = parseScope(scope);
  if ("problem" in parsed) return refuse("invalid_scope", parsed.problem);

  // Without a method, RFC 7636 means plain. If Parley ignored an incomplete challenge, the code would have no
  // protection.
  if (challenge && method !== "S256")
    return refuse("invalid_request", "The code_challenge_method must be S256.");
  if (method && !challenge) return refuse("invalid_request", "The parameter code_challenge is missing.");
  if (challenge && !isCodeChallenge(challenge)) {
    return refuse("invalid_request", "The code_challenge must be a base64url-encoded SHA-256 digest.");
  }
  // RFC 8252 section 6, RFC 9700 section 2.1.1: without a secret, only PKCE keeps an attacker from exchanging a stolen code.
  if (requesting.client.isPublic && !challenge) {
    return refuse(
      "invalid_request",
      "The app has no secret, so it must use PKCE: code_challenge is missing.",
    );
  }
  return { scopes: parsed.scopes, codeChallenge: challenge };
}
