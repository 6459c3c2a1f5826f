import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import type { SendError } from "./errors.ts";
import { requestId } from "./request-id.ts";

/** Tells browsers to use the content type of every response as it is. */
export function preventSniffing(app: FastifyInstance): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.header(...noSniff);
  });
}

const noSniff = ["x-content-type-options", "nosniff"] as const;

/** Rejects compressed bodies and other character sets than UTF-8 with 415. */
export function refuseEncodings(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ headers }) => {
    const encoding = headers["content-encoding"];
    if (encoding !== undefined && encoding !== "identity") {
      throw new ApiError(
        415,
        "invalid_request",
        `Content-Encoding ${encoding} is not supported. Send the body uncompressed.`,
      );
    }
    const charset = /;\s*charset="?([^";\s]+)/i.exec(headers["content-type"] ?? "")?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
      throw new ApiError(415, "invalid_request", `The charset ${charset} is not supported. Send UTF-8.`);
    }
  });
}

const malformed: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    431,
    "The request line and headers are longer than 16 KiB. Shorten the URL or the headers.",
  ],
  HPE_INVALID_METHOD: [400, "The request method is unknown. Use an HTTP method such as GET or POST."],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    "The server did not receive the whole request within 30 seconds. Send it again.",
  ],
};

/** Responds to what Node's parser rejects, which never becomes a request, with the same error body as for requests. */
export function malformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return;
  const [status, message] = malformed[error.code ?? ""] ?? [400, "The request is not valid HTTP/1.1."];
  const body = JSON.stringify({ error: "invalid_request", error_description: message });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Content-Type: application/json; charset=utf-8",
      noSniff.join(": "),
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId({ headers: {} })}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

/** Rejects every `Expect` header except `100-continue` with 417, RFC 9110 section 10.1.1. */
export function refuseExpectations(app: FastifyInstance): void {
  app.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const error_description = "The Expect header must be 100-continue. Remove any other value.";
    response.writeHead(417, {
      "content-type": "application/json; charset=utf-8",
      [noSniff[0]]: noSniff[1],
      "x-request-id": requestId(request),
    });
    response.end(JSON.stringify({ error: "invalid_request", error_description }));
  });
}

/** Responds to URLs that Fastify cannot decode. It rejects them before any hook runs. */
export function refuseUrls(sendError: SendError) {
  return (_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.header("x-request-id", request.id).header(...noSniff);
    void sendError(
      new ApiError(
        400,
        "invalid_request",
        "The path is not a valid URL. Percent-encode special characters, for example % as %25.",
      ),
      reply,
    );
  };
}
