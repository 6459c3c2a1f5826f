import { request } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, test, vi } from "vitest";
import { webhookHeaders } from "../../src/testing/index.ts";
import { memoryDedupe } from "../../src/webhooks/receivers/node.ts";
import type { ReceiverOptions } from "../../src/webhooks/receivers/receive.ts";
import { expressWithMiddleware, expressWithParser, frameworks } from "./servers.ts";

const secret = "parley_ws_3f9Qk2Lw8Zr7Tn5Yb1Xc6Vd4";
const eventOf = (type: string, text = "Grüß dich 👋🏽") => JSON.stringify({ id: "e1", type, data: { text } });

interface ReceivedResponse {
  readonly status: number;
  readonly body: string;
}

/** Sends a signed delivery, in one or more chunks. */
async function deliver(
  url: string,
  body: string | Uint8Array,
  change: Record<string, string> = {},
  chunks = 1,
) {
  const { deliveryId = "d1", ...changed } = change;
  const headers = { ...(await webhookHeaders(body, { secret, deliveryId })), ...changed };
  const bytes = Buffer.from(body as Uint8Array);
  return new Promise<ReceivedResponse>((resolve, reject) => {
    const length = chunks === 1 ? { "content-length": bytes.length } : {};
    const outgoing = request(url, { method: "POST", headers: { ...headers, ...length } }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    outgoing.on("error", reject);
    const size = Math.ceil(bytes.length / chunks) || 1;
    for (let at = 0; at < bytes.length; at += size) outgoing.write(bytes.subarray(at, at + size));
    outgoing.end();
  });
}

/** Creates options that record the handled events and the errors. */
function recordingOptions(change: Partial<ReceiverOptions> = {}) {
  const handled: string[] = [];
  const onError = vi.fn<(error: { message: string; code?: string }) => void>();
  const options: ReceiverOptions = {
    secret,
    onError: (error) => onError(error as never),
    on: { "lead.created": (event, { id }) => void handled.push(`${event.type} ${id}`) },
    ...change,
  };
  return { handled, onError, options };
}

describe.each(frameworks)("$name", ({ serve, parsers }) => {
  test("calls the handler of the event type and responds with 204", async () => {
    const handler = vi.fn<NonNullable<ReceiverOptions["on"]["lead.created"]>>();
    const { options } = recordingOptions({ on: { "lead.created": handler } });
    expect(await deliver(await serve(options), eventOf("lead.created"))).toEqual({ status: 204, body: "" });
    expect(handler.mock.calls).toMatchObject([[{ data: { text: "Grüß dich 👋🏽" } }, { id: "d1" }]]);
  });

  test("passes other types to onOther or ignores them, even if a type is the name of an inherited property", async () => {
    const other = vi.fn<NonNullable<ReceiverOptions["onOther"]>>();
    const { options, handled, onError } = recordingOptions({ onOther: other });
    const url = await serve(options);
    for (const type of ["lead.updated", "toString", "__proto__"]) {
      expect((await deliver(url, eventOf(type))).status).toBe(204);
    }
    expect(other.mock.calls.map(([event]) => event.type)).toEqual(["lead.updated", "toString", "__proto__"]);
    expect((await deliver(await serve(recordingOptions().options), eventOf("lead.updated"))).status).toBe(
      204,
    );
    expect(handled).toEqual([]);
    expect(onError).not.toHaveBeenCalled();
  });

  test("accepts chunked and large bodies", async () => {
    const { options, handled } = recordingOptions();
    const url = await serve(options);
    expect((await deliver(url, eventOf("lead.created"), {}, 7)).status).toBe(204);
    expect((await deliver(url, eventOf("lead.created", "ä👋".repeat(150_000)), {}, 40)).status).toBe(204);
    expect(handled).toHaveLength(2);
  });

  test("rejects a signed body that is not UTF-8, and keeps running", async () => {
    const { options, handled } = recordingOptions();
    const url = await serve(options);
    const bytes = Uint8Array.from([0x7b, 0xff, 0xfe, 0x00, 0xc3, 0x28, 0x7d]);
    expect(await deliver(url, bytes)).toMatchObject({
      status: 400,
      body: expect.stringContaining("malformed_payload"),
    });
    expect((await deliver(url, eventOf("lead.created"))).status).toBe(204);
    expect(handled).toHaveLength(1);
  });

  test("responds with 413 to a body over maxBytes, and accepts the next delivery", async () => {
    const { options, onError } = recordingOptions({ maxBytes: 1000 });
    const url = await serve(options);
    const response = await deliver(url, eventOf("lead.created", "x".repeat(5000))).catch(
      (error: NodeJS.ErrnoException) => error.code,
    );
    // The response can arrive while the body is still being sent.
    expect(["EPIPE", "ECONNRESET", 413]).toContain(typeof response === "object" ? response.status : response);
    expect((await deliver(url, eventOf("lead.created"))).status).toBe(204);
    expect(onError.mock.calls.length).toBeLessThanOrEqual(1);
  });

  test("responds with 400 and the reason to a rejected delivery, and calls onError", async () => {
    const { options, handled, onError } = recordingOptions();
    const url = await serve(options);
    const forged = await deliver(url, eventOf("lead.created"), {
      "x-parley-signature": `sha256=${"0".repeat(64)}`,
    });
    expect(forged.status).toBe(400);
    expect(JSON.parse(forged.body)).toMatchObject({ error: "signature_mismatch" });
    const missing = await deliver(url, eventOf("lead.created"), { "x-parley-timestamp": "" });
    expect(JSON.parse(missing.body).error_description).toContain("x-parley-timestamp");
    expect(onError.mock.calls.map(([error]) => error.code)).toEqual(["signature_mismatch", "missing_header"]);
    expect(handled).toEqual([]);
  });

  test("responds with 500 if the secret is missing or malformed", async () => {
    for (const [wrong, code] of [
      ["", "missing_secret"],
      ["whsec_x", "malformed_secret"],
    ] as const) {
      const response = await deliver(
        await serve(recordingOptions({ secret: wrong }).options),
        eventOf("lead.created"),
      );
      expect(response).toMatchObject({ status: 500, body: expect.stringContaining(code) });
    }
  });

  test("responds with 500 if a handler throws, without its message, and calls onError", async () => {
    const failure = new Error("password is hunter2");
    const { options, onError } = recordingOptions({ on: { "lead.created": () => Promise.reject(failure) } });
    const response = await deliver(await serve(options), eventOf("lead.created"));
    expect(response.status).toBe(500);
    expect(response.body).not.toContain("hunter2");
    expect(onError).toHaveBeenCalledExactlyOnceWith(failure);
  });

  test("handles a repeated delivery once, but failed deliveries and redeliveries again", async () => {
    let fail = true;
    const { options, handled } = recordingOptions({ dedupe: memoryDedupe() });
    const on = options.on["lead.created"];
    const url = await serve({
      ...options,
      on: {
        "lead.created": (event, delivery) => {
          if (fail) throw new Error("not yet");
          return on?.(event, delivery);
        },
      },
    });
    expect((await deliver(url, eventOf("lead.created"))).status).toBe(500);
    fail = false;
    expect((await deliver(url, eventOf("lead.created"))).status).toBe(204);
    expect((await deliver(url, eventOf("lead.created"))).status).toBe(204);
    expect((await deliver(url, eventOf("lead.created"), { deliveryId: "d2" })).status).toBe(204);
    expect(handled).toEqual(["lead.created d1", "lead.created d2"]);
  });

  test("rejects a captured delivery with another ID, and with dedupe also one without a signed ID", async () => {
    const { options, handled } = recordingOptions();
    const strict = await serve({ ...options, dedupe: memoryDedupe() });
    const url = await serve(options);
    const body = eventOf("lead.created");
    const forged = { "x-parley-delivery": "d2", "webhook-id": "d2" };
    expect(await deliver(url, body, forged)).toMatchObject({
      status: 400,
      body: expect.stringContaining("webhook-id was changed"),
    });
    expect((await deliver(url, body, { "x-parley-delivery": "d2" })).status).toBe(204);
    expect(handled.splice(0)).toEqual(["lead.created d1"]);
    const unsigned = { "x-parley-delivery": "d2", "webhook-signature": "" };
    expect(await deliver(strict, body, unsigned)).toMatchObject({
      status: 400,
      body: expect.stringContaining("Missing header: webhook-signature"),
    });
    expect((await deliver(url, body, unsigned)).status).toBe(204);
    expect(handled).toEqual(["lead.created d2"]);
  });

  test("waits for the result of a delivery that is being handled", async () => {
    const running = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<void>();
    const handler = vi.fn<() => Promise<void>>(() => {
      running.resolve();
      return finished.promise;
    });
    const url = await serve(
      recordingOptions({ dedupe: memoryDedupe(), on: { "lead.created": handler } }).options,
    );
    const first = deliver(url, eventOf("lead.created"));
    await running.promise;
    const second = deliver(url, eventOf("lead.created"));
    finished.resolve();
    expect([(await first).status, (await second).status]).toEqual([204, 204]);
    expect(handler).toHaveBeenCalledOnce();
  });

  test("responds with 503 if the delivery is busy", async () => {
    const dedupe = { claim: () => "busy" as const, done: () => {}, release: () => {} };
    const response = await deliver(
      await serve(recordingOptions({ dedupe }).options),
      eventOf("lead.created"),
    );
    expect(response.status).toBe(503);
  });

  test("responds even if onError and dedupe throw", async () => {
    const failure = () => Promise.reject(new Error("down"));
    const dedupe = { claim: () => "new" as const, done: () => {}, release: failure };
    const on = { "lead.created": failure };
    for (const onError of [failure, () => void JSON.parse("")]) {
      const url = await serve({ secret, on, onError, dedupe });
      expect((await deliver(url, eventOf("lead.created"))).status).toBe(500);
      expect((await deliver(url, eventOf("lead.created"), { "x-parley-timestamp": "1" })).status).toBe(400);
    }
  });

  test("handles an event although another event had the same delivery ID", async () => {
    const { options, handled } = recordingOptions({ dedupe: memoryDedupe() });
    const url = await serve(options);
    expect((await deliver(url, eventOf("lead.created"), { deliveryId: "d2" })).status).toBe(204);
    const other = JSON.stringify({ id: "e2", type: "lead.created", data: {} });
    expect((await deliver(url, other, { deliveryId: "d2" })).status).toBe(204);
    expect(handled).toHaveLength(2);
  });

  test.each(Object.entries(parsers))(
    "responds with 500 behind %s, with an error that says what to do",
    async (_, behind) => {
      const { options, handled, onError } = recordingOptions();
      const response = await deliver(await behind(options), eventOf("lead.created"));
      expect(response).toMatchObject({ status: 500, body: expect.stringContaining("body_already_read") });
      const [error] = onError.mock.calls[0] ?? [];
      expect(error?.message).toMatch(
        /^The request body was read before the receiver ran\. (Mount|Pass|Register) the re/,
      );
      expect(handled).toEqual([]);
    },
  );
});

test.each(["raw", "text"] as const)("accepts the body of express.%s()", async (parser) => {
  const { options, handled } = recordingOptions();
  expect((await deliver(await expressWithParser(parser, options), eventOf("lead.created"))).status).toBe(204);
  expect(handled).toEqual(["lead.created d1"]);
});

test("node:http: responds with 405 to other methods", async () => {
  const url =
    (await frameworks.find(({ name }) => name === "node:http")?.serve(recordingOptions().options)) ?? "";
  const response = await fetch(url);
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("POST");
});

test("keeps running if another middleware has sent the response", async () => {
  const finished = Promise.withResolvers<void>();
  const { options } = recordingOptions({ on: { "lead.created": () => finished.promise } });
  const url = await expressWithMiddleware((_, response, next) => {
    setTimeout(() => {
      response.status(503).end();
      finished.resolve();
    }, 20);
    next();
  }, options);
  expect((await deliver(url, eventOf("lead.created"))).status).toBe(503);
  // A second delivery after the handler has finished.
  expect((await deliver(url, eventOf("lead.created"))).status).toBe(204);
});

test("memoryDedupe removes the oldest delivery first", async () => {
  const dedupe = memoryDedupe(2);
  for (const id of ["a", "b", "c"]) {
    expect(await dedupe.claim(id)).toBe("new");
    dedupe.done(id);
  }
  expect([await dedupe.claim("c"), await dedupe.claim("b"), await dedupe.claim("a")]).toEqual([
    "handled",
    "handled",
    "new",
  ]);
});
