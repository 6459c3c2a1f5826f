import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import type { SendError } from "./errors.ts";
import { requestId } from "./request-id.ts";

/** Refuses bodies that are compressed or in another character set: they would be misread. */
export function refuseEncodings(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ headers }) => {
    const encoding = headers["content-encoding"];
    if (encoding !== undefined && encoding !== "identity") {
      throw new ApiError(
        415,
        "invalid_request",
        `Content-Encoding ${encoding} is not supported; send the body as it is.`,
      );
    }
    const charset = /;\s*charset="?([^";\s]+)/i.exec(headers["content-type"] ?? "")?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
      throw new ApiError(415, "invalid_request", `The charset ${charset} is not supported; send UTF-8.`);
    }
  });
}

/**
 * JSON in UTF-8 (RFC 8259 section 8.1). Many clients send `Content-Type: application/json` also with requests that have no
 * body: an empty one is no body; where one is required, the contract's check says so.
 */
export function parseJson(app: FastifyInstance): void {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser<Buffer>(
    "application/json",
    { parseAs: "buffer" },
    async (_request: FastifyRequest, bytes: Buffer) => {
      if (bytes.length === 0) return undefined;
      try {
        return JSON.parse(utf8.decode(bytes), takeMember) as unknown;
      } catch (error) {
        throw error instanceof ApiError
          ? error
          : new ApiError(400, "invalid_request", describeParseError(error));
      }
    },
  );
}

function describeParseError(error: unknown): string {
  if (error instanceof SyntaxError) return "The body is not valid JSON.";
  return error instanceof RangeError ? "The body is nested too deep." : "The body is not UTF-8.";
}

/** Refuses keys by which a careless copy of an object changes what all objects are. */
function takeMember(key: string, value: unknown): unknown {
  if (key === "__proto__" || (key === "constructor" && Object.hasOwn(Object(value), "prototype"))) {
    throw new ApiError(400, "invalid_request", `The body holds the key ${key}, which is not taken.`);
  }
  return Object.is(value, -0) ? 0 : value; // JSON has one zero, JavaScript two.
}

const malformed: Record<string, [status: number, words: string]> = {
  HPE_HEADER_OVERFLOW: [431, "The request line and headers are longer than 16 KiB."],
  HPE_INVALID_METHOD: [400, "The method is not known."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive within 30 seconds."],
};

/** What is not HTTP as Node's parser understands it never becomes a request; the answer looks like every other. */
export function malformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return;
  const [status, words] = malformed[error.code ?? ""] ?? [400, "The request is malformed."];
  const body = JSON.stringify({ error: "invalid_request", error_description: words });
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

/** RFC 9110 section 10.1.1: what a client expects beside `100-continue` cannot be met. */
export function refuseExpectations(app: FastifyInstance): void {
  app.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const error_description = "Expect: only 100-continue is supported.";
    response.writeHead(417, {
      "content-type": "application/json; charset=utf-8",
      "x-request-id": requestId(request),
    });
    response.end(JSON.stringify({ error: "invalid_request", error_description }));
  });
}

/** Fastify refuses URLs that it cannot decode before any hook runs. */
export function refuseUrls(sendError: SendError) {
  return (_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.header("x-request-id", request.id);
    void sendError(new ApiError(400, "invalid_request", "The path is not a valid URL."), reply);
  };
}
