import { ApiError } from "../../../http/api-error.ts";
import { type Parameters, parameter, requireParameters } from "../parameters.ts";

/** Credentials that a client sent. */
interface ClientCredentials {
  clientId: string;
  /** Undefined for a public client. An empty secret counts as omitted, RFC 6749 section 2.3.1. */
  secret: string | undefined;
  /** Whether the client used HTTP Basic. */
  basic: boolean;
}

/** Returns the parameters that the body must contain if the request does not use HTTP Basic. */
export function credentialParameters(authorization: string | undefined): string[] {
  return isBasic(authorization) ? [] : ["client_id"];
}

/**
 * Reads the client's credentials from HTTP Basic or from the body, RFC 6749 section 2.3.1. With HTTP Basic the body may repeat
 * `client_id`, but not the secret (section 2.3).
 *
 * @throws ApiError 400 invalid_request, 401 invalid_client
 */
export function readCredentials(authorization: string | undefined, body: Parameters): ClientCredentials {
  requireParameters(body, credentialParameters(authorization));
  const [bodyId, bodySecret] = [parameter(body, "client_id"), parameter(body, "client_secret")];
  if (!isBasic(authorization)) return { clientId: bodyId ?? "", secret: bodySecret, basic: false };

  if (bodySecret !== undefined) {
    const description = "Send the client credentials either in HTTP Basic or in the body, not in both.";
    throw new ApiError(400, "invalid_request", description);
  }
  const { clientId, secret } = decodeBasic(authorization);
  if ((bodyId ?? clientId) !== clientId) {
    throw new ApiError(
      400,
      "invalid_request",
      "The client_id in the body must be the same as in HTTP Basic.",
    );
  }
  return { clientId, secret: secret || undefined, basic: true };
}

function isBasic(authorization: string | undefined): authorization is string {
  return /^basic(?: |$)/i.test(authorization ?? "");
}

/**
 * Decodes HTTP Basic. Unlike in other uses of HTTP Basic, ID and secret are form-encoded before they are joined, so that only ASCII is left
 * (RFC 6749 section 2.3.1 and appendix B). Everything else is rejected: Base64 with other characters, and malformed percent-encoding.
 */
function decodeBasic(authorization: string): { clientId: string; secret: string } {
  const encoded = authorization.slice("basic ".length).trim();
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(encoded);
  const text = isBase64 ? Buffer.from(encoded, "base64").toString("latin1") : "";
  const [, id, secret] = /^([\x20-\x39\x3b-\x7e]+):([\x20-\x7e]*)$/.exec(text) ?? [];
  try {
    if (id !== undefined && secret !== undefined) {
      return { clientId: formDecode(id), secret: formDecode(secret) };
    }
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
  throw invalidClient(true);
}

function formDecode(text: string): string {
  const decoded = decodeURIComponent(text.replaceAll("+", " "));
  if (decoded.includes("\0")) throw invalidClient(true); // PostgreSQL cannot store NUL.
  return decoded;
}

/** Returns the error of RFC 6749 section 5.2, the same for an unknown client and a wrong secret. */
export function invalidClient(
  basic: boolean,
  description = "The client_id or client_secret is wrong.",
): ApiError {
  return new ApiError(
    401,
    "invalid_client",
    description,
    basic ? { "www-authenticate": 'Basic realm="parley"' } : {},
  );
}
