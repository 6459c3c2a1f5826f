import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import { sendError } from "./errors.ts";
import { requestId } from "./request-id.ts";

/**
 * Many clients send `Content-Type: application/json` with every request, also with those that have no body.
 * An empty body is then no body; where one is required, the contract's check says so.
 */
export function lenientJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, undefined);
    else void parse(request, body, done);
  });
}

/** What is not HTTP as Node's parser understands it never becomes a request; the answer looks like every other. */
export function malformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return;
  const status =
    error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const body = JSON.stringify({ error: "invalid_request", error_description: "The request is malformed." });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId({ headers: {} })}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

/** Fastify refuses URLs that it cannot decode before any hook runs. */
export function refusedUrl(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id);
  void sendError(new ApiError(400, "invalid_request", "The path is not a valid URL."), reply);
}
