import type { Scope } from "@parley/contract";
import type { Database, OAuthClient } from "@parley/database";
import { ApiError } from "../../../http/api-error.ts";
import { isRegistered } from "../clients/redirect-uri.ts";
import { isRepeated, type Parameters, parameter } from "../parameters.ts";
import { isCodeChallenge } from "../pkce.ts";
import { parseScope } from "../scope.ts";
import { type AnswerTarget, AuthorizationError } from "./authorization-error.ts";

/** Who asks, and where the answer goes: the client registered this redirect URI. */
export interface Asker extends AnswerTarget {
  client: OAuthClient;
}

/** A valid authorization request, RFC 6749 section 4.1.1 and RFC 7636 section 4.3. */
export interface AuthorizationRequest extends Asker {
  scopes: Scope[];
  codeChallenge: string | undefined;
}

/**
 * Client and redirect URI come first: until both are known to belong together, nobody may be redirected.
 *
 * @throws ApiError 400 for the user to read, when client or redirect URI cannot be trusted
 */
export async function findAsker(db: Database, query: Parameters): Promise<Asker> {
  const client = await findClient(db, query);
  const redirectUri = trusted(query, "redirect_uri");
  if (!isRegistered(redirectUri, client.redirectUris)) {
    throw new ApiError(400, "invalid_request", "The redirect_uri is not registered for this app.");
  }
  return { client, redirectUri, state: parameter(query, "state") };
}

/**
 * Everything else of the request.
 *
 * @throws AuthorizationError for the client
 */
export function readAuthorizationRequest(query: Parameters, asker: Asker): AuthorizationRequest {
  return { ...asker, ...readParameters(query, asker) };
}

async function findClient(db: Database, query: Parameters): Promise<OAuthClient> {
  const client = await db.oAuthClient.findUnique({ where: { id: trusted(query, "client_id") } });
  if (!client) throw new ApiError(400, "invalid_client", "No app with this client_id is registered here.");
  return client;
}

function trusted(query: Parameters, name: string): string {
  const value = parameter(query, name);
  if (value !== undefined) return value;
  const problem = isRepeated(query, name) ? "was sent more than once" : "is missing";
  throw new ApiError(400, "invalid_request", `The parameter ${name} ${problem}.`);
}

const others = ["response_type", "scope", "state", "code_challenge", "code_challenge_method"];

function readParameters(query: Parameters, asker: Asker) {
  const refuse = (code: AuthorizationError["code"], description: string): never => {
    throw new AuthorizationError(code, description, asker);
  };
  const repeated = others.find((name) => isRepeated(query, name));
  if (repeated) refuse("invalid_request", `The parameter ${repeated} was sent more than once.`);

  const [responseType, scope, , challenge, method] = others.map((name) => parameter(query, name));
  if (!responseType) return refuse("invalid_request", "The parameter response_type is missing.");
  if (responseType !== "code") return refuse("unsupported_response_type", "The response_type must be code.");
  if (!scope) return refuse("invalid_request", "The parameter scope is missing.");
  const parsed = parseScope(scope);
  if ("problem" in parsed) return refuse("invalid_scope", parsed.problem);

  // Without a method RFC 7636 means plain. Taking a half-sent challenge for none would silently drop the protection.
  if (challenge && method !== "S256")
    return refuse("invalid_request", "The code_challenge_method must be S256.");
  if (method && !challenge) return refuse("invalid_request", "The parameter code_challenge is missing.");
  if (challenge && !isCodeChallenge(challenge)) {
    return refuse("invalid_request", "The code_challenge must be the base64url form of a SHA-256 digest.");
  }
  // RFC 9700 section 2.1.1: nothing else keeps whoever catches the code of a client without secret from exchanging it.
  if (asker.client.isPublic && !challenge) {
    return refuse(
      "invalid_request",
      "The app has no secret, so it must use PKCE: code_challenge is missing.",
    );
  }
  return { scopes: parsed.scopes, codeChallenge: challenge };
}
