import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import { checkValues } from "./stored-values.ts";
import { leavesItemsToHandler } from "./validation.ts";

/**
 * Parses JSON in UTF-8 (RFC 8259 section 8.1), and rejects values that cannot be stored. An empty body counts as no body, because many
 * clients send `Content-Type: application/json` without a body. If the operation requires a body, validation rejects the request.
 */
export function parseJson(app: FastifyInstance): void {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser<Buffer>(
    "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, bytes: Buffer) => {
      if (bytes.length === 0) return undefined;
      requireFewValues(bytes);
      const value = parse(() => JSON.parse(utf8.decode(bytes)));
      checkValues(value, "body", { leavesItems: leavesItemsToHandler(request) });
      return value;
    },
  );
}

const maxValues = 30_000;

/** Character codes. */
const [quote, comma, bracket, backslash, brace] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b];

/**
 * Counts values before they are parsed, because parsing needs most of the time.
 *
 * @throws ApiError 400
 */
function requireFewValues(bytes: Buffer): void {
  let values = 0;
  let isText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const code = bytes[index];
    if (code === quote) isText = !isText;
    else if (isText) index += code === backslash ? 1 : 0;
    else if (code === comma || code === bracket || code === brace) values += 1;
  }
  if (values > maxValues) {
    const description = `The body must not have more than ${maxValues.toLocaleString("en")} values.`;
    throw new ApiError(400, "invalid_request", description);
  }
}

function parse(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    const problem = error instanceof SyntaxError ? "is not valid JSON" : "is not valid UTF-8";
    throw new ApiError(400, "invalid_request", `The body ${problem}.`);
  }
}
