import { request } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, test, vi } from "vitest";
import { signWebhook } from "../../src/webhooks/index.ts";
import { memoryDedupe } from "../../src/webhooks/receivers/node.ts";
import type { ReceiverOptions } from "../../src/webhooks/receivers/receive.ts";
import { expressAfter, frameworks, rawExpress } from "./servers.ts";

const secret = "parley_ws_3f9Qk2Lw8Zr7Tn5Yb1Xc6Vd4";
const eventOf = (type: string, text = "Grüß dich 👋🏽") => JSON.stringify({ id: "e1", type, data: { text } });

interface Sent {
  readonly status: number;
  readonly body: string;
}

/** Delivers a body as the service does, or in pieces. */
async function deliver(
  url: string,
  body: string | Uint8Array,
  change: Record<string, string> = {},
  chunks = 1,
) {
  const headers = {
    "content-type": "application/json",
    "x-parley-delivery": "d1",
    ...(await signWebhook({ payload: body, secret })),
    ...change,
  };
  const bytes = Buffer.from(body as Uint8Array);
  return new Promise<Sent>((resolve, reject) => {
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

/** Options that write down what happens. */
function recorder(change: Partial<ReceiverOptions> = {}) {
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
  test("an event goes to the handler of its type, and is answered with 204", async () => {
    const handler = vi.fn<NonNullable<ReceiverOptions["on"]["lead.created"]>>();
    const { options } = recorder({ on: { "lead.created": handler } });
    expect(await deliver(await serve(options), eventOf("lead.created"))).toEqual({ status: 204, body: "" });
    expect(handler.mock.calls).toMatchObject([[{ data: { text: "Grüß dich 👋🏽" } }, { id: "d1" }]]);
  });

  test("other types: to onOther, or accepted and dropped; a type that every object has reaches nothing", async () => {
    const other = vi.fn<NonNullable<ReceiverOptions["onOther"]>>();
    const { options, handled, onError } = recorder({ onOther: other });
    const url = await serve(options);
    for (const type of ["lead.updated", "toString", "__proto__"]) {
      expect((await deliver(url, eventOf(type))).status).toBe(204);
    }
    expect(other.mock.calls.map(([event]) => event.type)).toEqual(["lead.updated", "toString", "__proto__"]);
    expect((await deliver(await serve(recorder().options), eventOf("lead.updated"))).status).toBe(204);
    expect(handled).toEqual([]);
    expect(onError).not.toHaveBeenCalled();
  });

  test("chunked, and a large body", async () => {
    const { options, handled } = recorder();
    const url = await serve(options);
    expect((await deliver(url, eventOf("lead.created"), {}, 7)).status).toBe(204);
    expect((await deliver(url, eventOf("lead.created", "ä👋".repeat(150_000)), {}, 40)).status).toBe(204);
    expect(handled).toHaveLength(2);
  });

  test("bytes that are no UTF-8: signed, but refused, and the server lives", async () => {
    const { options, handled } = recorder();
    const url = await serve(options);
    const bytes = Uint8Array.from([0x7b, 0xff, 0xfe, 0x00, 0xc3, 0x28, 0x7d]);
    expect(await deliver(url, bytes)).toMatchObject({
      status: 400,
      body: expect.stringContaining("malformed_payload"),
    });
    expect((await deliver(url, eventOf("lead.created"))).status).toBe(204);
    expect(handled).toHaveLength(1);
  });

  test("too long: 413, told to onError, and the next one comes through", async () => {
    const { options, onError } = recorder({ maxBytes: 1000 });
    const url = await serve(options);
    const answer = await deliver(url, eventOf("lead.created", "x".repeat(5000))).catch(
      (error: NodeJS.ErrnoException) => error.code,
    );
    // The answer may come while the body is still being sent.
    expect(["EPIPE", "ECONNRESET", 413]).toContain(typeof answer === "object" ? answer.status : answer);
    expect((await deliver(url, eventOf("lead.created"))).status).toBe(204);
    expect(onError.mock.calls.length).toBeLessThanOrEqual(1);
  });

  test("a refusal: 400 with the reason, and onError hears it", async () => {
    const { options, handled, onError } = recorder();
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

  test("no secret, or another kind of secret: 500, so that it comes again", async () => {
    for (const [wrong, code] of [
      ["", "missing_secret"],
      ["whsec_x", "malformed_secret"],
    ] as const) {
      const answer = await deliver(await serve(recorder({ secret: wrong }).options), eventOf("lead.created"));
      expect(answer).toMatchObject({ status: 500, body: expect.stringContaining(code) });
    }
  });

  test("a handler that fails: 500 without its message, and onError hears it", async () => {
    const failure = new Error("password is hunter2");
    const { options, onError } = recorder({ on: { "lead.created": () => Promise.reject(failure) } });
    const answer = await deliver(await serve(options), eventOf("lead.created"));
    expect(answer.status).toBe(500);
    expect(answer.body).not.toContain("hunter2");
    expect(onError).toHaveBeenCalledExactlyOnceWith(failure);
  });

  test("a delivery that comes twice is handled once; one that failed, again; a redelivery, too", async () => {
    let fail = true;
    const { options, handled } = recorder({ dedupe: memoryDedupe() });
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
    expect((await deliver(url, eventOf("lead.created"), { "x-parley-delivery": "d2" })).status).toBe(204);
    expect(handled).toEqual(["lead.created d1", "lead.created d2"]);
  });

  test("one that comes while it is being handled waits for the outcome", async () => {
    const running = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<void>();
    const handler = vi.fn<() => Promise<void>>(() => {
      running.resolve();
      return finished.promise;
    });
    const url = await serve(recorder({ dedupe: memoryDedupe(), on: { "lead.created": handler } }).options);
    const first = deliver(url, eventOf("lead.created"));
    await running.promise;
    const second = deliver(url, eventOf("lead.created"));
    finished.resolve();
    expect([(await first).status, (await second).status]).toEqual([204, 204]);
    expect(handler).toHaveBeenCalledOnce();
  });

  test("busy elsewhere: 503, to come later", async () => {
    const dedupe = { claim: () => "busy" as const, done: () => {}, release: () => {} };
    const answer = await deliver(await serve(recorder({ dedupe }).options), eventOf("lead.created"));
    expect(answer.status).toBe(503);
  });

  test("hooks that fail: the sender has its answer, the process lives", async () => {
    const failure = () => Promise.reject(new Error("down"));
    const dedupe = { claim: () => "new" as const, done: () => {}, release: failure };
    const on = { "lead.created": failure };
    for (const onError of [failure, () => void JSON.parse("")]) {
      const url = await serve({ secret, on, onError, dedupe });
      expect((await deliver(url, eventOf("lead.created"))).status).toBe(500);
      expect((await deliver(url, eventOf("lead.created"), { "x-parley-timestamp": "1" })).status).toBe(400);
    }
  });

  test("a delivery passed off as another does not keep that one out", async () => {
    const { options, handled } = recorder({ dedupe: memoryDedupe() });
    const url = await serve(options);
    expect((await deliver(url, eventOf("lead.created"), { "x-parley-delivery": "d2" })).status).toBe(204);
    const other = JSON.stringify({ id: "e2", type: "lead.created", data: {} });
    expect((await deliver(url, other, { "x-parley-delivery": "d2" })).status).toBe(204);
    expect(handled).toHaveLength(2);
  });

  test.each(Object.entries(parsers))("behind %s: an error that tells the fix", async (_, behind) => {
    const { options, handled, onError } = recorder();
    const answer = await deliver(await behind(options), eventOf("lead.created"));
    expect(answer).toMatchObject({ status: 500, body: expect.stringContaining("body_already_read") });
    const [error] = onError.mock.calls[0] ?? [];
    expect(error?.message).toMatch(/^The raw body is gone.*(Mount|Pass|Register) the re/);
    expect(handled).toEqual([]);
  });
});

test.each(["raw", "text"] as const)("Express: behind express.%s()", async (parser) => {
  const { options, handled } = recorder();
  expect((await deliver(await rawExpress(parser, options), eventOf("lead.created"))).status).toBe(204);
  expect(handled).toEqual(["lead.created d1"]);
});

test("node:http: other methods get 405", async () => {
  const url = (await frameworks.find(({ name }) => name === "node:http")?.serve(recorder().options)) ?? "";
  const response = await fetch(url);
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("POST");
});

test("an answer that was given by something else, such as a time-out: the process lives", async () => {
  const finished = Promise.withResolvers<void>();
  const { options } = recorder({ on: { "lead.created": () => finished.promise } });
  const url = await expressAfter((_, response, next) => {
    setTimeout(() => {
      response.status(503).end();
      finished.resolve();
    }, 20);
    next();
  }, options);
  expect((await deliver(url, eventOf("lead.created"))).status).toBe(503);
  // The handler had finished, so this is a repetition.
  expect((await deliver(url, eventOf("lead.created"))).status).toBe(204);
});

test("the memory forgets the oldest", async () => {
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
