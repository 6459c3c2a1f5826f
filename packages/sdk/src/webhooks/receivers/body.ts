import { ReceiverError } from "./error.ts";

/**
 * Reads a body as bytes.
 *
 * @throws {@link ReceiverError} if the body is larger than `maxBytes`
 */
export async function readBytes(
  chunks: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const part = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
    length += part.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** Returns the error for a body that is too large. */
export function tooLarge(maxBytes: number): ReceiverError {
  return new ReceiverError(
    "payload_too_large",
    `The request body is larger than maxBytes (${maxBytes} bytes). Increase maxBytes if Parley sent the request.`,
  );
}

/** Iterates over the chunks of a stream. Not every runtime has iterable streams. */
export async function* chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = stream?.getReader();
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return;
      yield chunk.value;
    }
  } finally {
    // Stops the transfer of a body that is not read to its end.
    reader?.cancel().catch(() => {});
  }
}
