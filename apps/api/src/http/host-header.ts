import type { FastifyInstance } from "fastify";
import { ApiError } from "./api-error.ts";

/**
 * Rejects requests whose `Host` header is missing, repeated or invalid with 400, RFC 9112 section 3.2. The check of
 * Node.js is turned off (`requireHostHeader`), because it only detects a missing header and responds without a body.
 */
export function checkHostHeader(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ raw }) => {
    const problem = problemOf(raw.headersDistinct["host"] ?? [], raw.httpVersion);
    if (problem) throw new ApiError(400, "invalid_request", problem);
  });
}

function problemOf([host, ...others]: string[], httpVersion: string): string | undefined {
  if (host === undefined) return httpVersion === "1.0" ? undefined : "The Host header is missing.";
  if (others.length > 0) return "The Host header was sent more than once. Send it once.";
  return isHost(host) ? undefined : "The Host header is not a valid host.";
}

/** Characters of `uri-host [":" port]` (RFC 9110 section 7.2), without characters that begin another part of a URL. */
const hostCharacters = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/** Checks a host. Clients send an empty value if the request target has no host. */
function isHost(value: string): boolean {
  return value === "" || (hostCharacters.test(value) && URL.canParse(`http://${value}`));
}
