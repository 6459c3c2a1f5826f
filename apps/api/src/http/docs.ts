import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import accepts from "@fastify/accepts";
import staticFiles from "@fastify/static";
import { description } from "@parley/contract";
import {
  contentSecurityPolicy,
  diagramContentSecurityPolicy,
  siteContentSecurityPolicy,
} from "@parley/docs/content-security-policy";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { noRoute } from "./api-error.ts";

const folder = join(import.meta.dirname, "../../../docs/dist");

const downloads = [
  "openapi.json",
  "openapi.yaml",
  "first-webhook.arazzo.yaml",
  "signature-test-vectors.json",
];

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".yaml": "application/yaml; charset=utf-8",
  ".svg": "image/svg+xml",
};

interface Docs {
  /** Returns the server's own address, which texts contain instead of the address of the local demo. */
  baseUrl: () => string;
  /** Client with which readers sign in to send requests ("Try it"), or `off`. */
  clientId: string;
}

/** Serves the documentation that apps/docs built under /docs. Without a build, it logs a warning and serves nothing. */
export async function serveDocs(app: FastifyInstance, options: Docs): Promise<void> {
  if (!existsSync(folder)) {
    app.log.warn({ folder }, "documentation not built: /docs/ is not served");
    return;
  }
  await app.register(async (docs) => {
    docs.setErrorHandler(notFoundForForbidden);
    await docs.register(accepts);
    // The page of Redoc links its downloads by relative addresses. Only the texts below contain the address of this server.
    for (const name of downloads) {
      docs.get(`/docs/reference/${name}`, (_request, reply) => reply.redirect(`/docs/${name}`, 308));
    }
    await docs.register(staticFiles, {
      root: join(folder, "reference"),
      prefix: "/docs/reference",
      redirect: true,
      preCompressed: true,
      setHeaders: (reply) => setHeaders(reply, contentSecurityPolicy),
    });
    await docs.register(staticFiles, {
      root: join(folder, "assets"),
      prefix: "/docs/assets",
      decorateReply: false,
      immutable: true,
      maxAge: "365d",
      preCompressed: true,
      setHeaders: (reply) => setHeaders(reply, siteContentSecurityPolicy),
    });
    servePages(docs, options);
  });
}

/** Sets the headers of every file. */
function setHeaders(reply: { header(name: string, value: string): unknown }, policy: string): void {
  reply.header("content-security-policy", policy);
  reply.header("referrer-policy", "no-referrer");
}

type Encoding = "identity" | "gzip" | "br";

/** A text with the address of this server. `encoded` contains the encodings that were requested before. */
interface Text {
  readonly etag: string;
  readonly encoded: Map<Encoding, Buffer>;
  readonly identity: Buffer;
}

const encoders: Record<Encoding, (content: Buffer) => Buffer> = {
  identity: (content) => content,
  gzip: (content) => gzipSync(content),
  br: (content) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
};

/**
 * Serves the pages without their extension, their Markdown, and the other texts. A page is sent as Markdown if the request
 * prefers `text/markdown`.
 */
function servePages(docs: FastifyInstance, { baseUrl, clientId }: Docs): void {
  const files = new Map(listFiles().map((file) => [file.replace(/(^index)?\.html$/, ""), file]));
  files.delete("not-found");
  const texts = new Map<string, Text>();

  docs.get("/docs", (_request, reply) => reply.redirect("/docs/"));
  docs.get<{ Params: { "*": string } }>("/docs/*", (request, reply) => {
    const path = request.params["*"];
    const file = files.get(path);
    if (file === undefined && files.has(path.replace(/\/$/, ""))) {
      return reply.redirect(`/docs/${path.replace(/\/$/, "")}`, 308);
    }
    if (file === undefined) {
      // Programs that accept anything get the error as JSON.
      if (request.type(["application/json", "text/html"]) !== "text/html") throw noRoute(request);
      return send(request, reply.code(404), "not-found.html", true);
    }
    const isPage = extname(file) === ".html" && files.has(`${path || "index"}.md`);
    const wantsMarkdown = isPage && request.type(["text/html", "text/markdown"]) === "text/markdown";
    return send(request, reply, wantsMarkdown ? file.replace(/html$/, "md") : file, isPage);
  });

  function send(request: FastifyRequest, reply: FastifyReply, file: string, isPage: boolean): FastifyReply {
    const text = texts.get(file) ?? prepare(file);
    texts.set(file, text);
    setHeaders(reply, extname(file) === ".svg" ? diagramContentSecurityPolicy : siteContentSecurityPolicy);
    reply.headers({
      "cache-control": "no-cache",
      etag: text.etag,
      vary: isPage ? "accept, accept-encoding" : "accept-encoding",
    });
    if (request.headers["if-none-match"] === text.etag) return reply.code(304).send();
    const accepted = request.encoding(["br", "gzip"]);
    const encoding = accepted === "br" || accepted === "gzip" ? accepted : "identity";
    if (encoding !== "identity") reply.header("content-encoding", encoding);
    const body = text.encoded.get(encoding) ?? encoders[encoding](text.identity);
    text.encoded.set(encoding, body);
    return reply.type(types[extname(file)] ?? "text/plain; charset=utf-8").send(body);
  }

  function prepare(file: string): Text {
    const text = withAddress(readFileSync(join(folder, file), "utf8"), baseUrl());
    const identity = Buffer.from(
      text.replace('data-try-it-client="off"', `data-try-it-client="${clientId}"`),
    );
    const etag = `"${createHash("sha256").update(identity).digest("base64url").slice(0, 27)}"`;
    return { etag, encoded: new Map(), identity };
  }
}

/** Returns the paths of the texts in the folder. */
function listFiles(): string[] {
  return globSync("**/*.{html,md,txt,xml,json,yaml,svg}", {
    cwd: folder,
    exclude: ["reference/**", "assets/**"],
  });
}

/** Replaces the address of the local demo, which the texts contain. */
function withAddress(text: string, address: string): string {
  return description.servers.reduce(
    (result, { url }) =>
      result.replaceAll(url, address).replaceAll(encodeURIComponent(url), encodeURIComponent(address)),
    text,
  );
}

/**
 * Replaces the 403 of @fastify/static for a path outside the folder with a 404. The error handler of the app sends the
 * error that this handler throws.
 */
function notFoundForForbidden(error: FastifyError, request: FastifyRequest): never {
  throw error.statusCode === 403 ? noRoute(request) : error;
}
