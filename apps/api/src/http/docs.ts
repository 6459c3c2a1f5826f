import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import accepts from "@fastify/accepts";
import staticFiles from "@fastify/static";
import { description } from "@parley/contract";
import { contentSecurityPolicy, siteContentSecurityPolicy } from "@parley/docs/content-security-policy";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { noRoute } from "./api-error.ts";

const folder = join(import.meta.dirname, "../../../docs/dist");

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".yaml": "application/yaml; charset=utf-8",
};

/**
 * Serves the documentation that apps/docs built under /docs. Without a build, it logs a warning and serves nothing.
 *
 * @param baseUrl returns the server's own address, which texts contain instead of the address of the local demo
 */
export async function serveDocs(app: FastifyInstance, baseUrl: () => string): Promise<void> {
  if (!existsSync(folder)) {
    app.log.warn({ folder }, "documentation not built: /docs/ is not served");
    return;
  }
  await app.register(async (docs) => {
    docs.setErrorHandler(notFoundForForbidden);
    await docs.register(accepts);
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
    servePages(docs, baseUrl);
  });
}

/** Sets the headers of every file. */
function setHeaders(reply: { header(name: string, value: string): unknown }, policy: string): void {
  reply.header("content-security-policy", policy);
  reply.header("x-content-type-options", "nosniff");
  reply.header("referrer-policy", "no-referrer");
}

/** A text as it is sent. */
interface Text {
  readonly etag: string;
  readonly body: Record<"identity" | "gzip" | "br", Buffer>;
}

/**
 * Serves the pages without their extension, their Markdown, and the other texts. A page is sent as Markdown if the request
 * prefers `text/markdown`.
 */
function servePages(docs: FastifyInstance, baseUrl: () => string): void {
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
    const isPage = extname(file) === ".html";
    const wantsMarkdown = isPage && request.type(["text/html", "text/markdown"]) === "text/markdown";
    return send(request, reply, wantsMarkdown ? file.replace(/html$/, "md") : file, isPage);
  });

  function send(request: FastifyRequest, reply: FastifyReply, file: string, isPage: boolean): FastifyReply {
    const text = texts.get(file) ?? prepare(file);
    texts.set(file, text);
    setHeaders(reply, siteContentSecurityPolicy);
    reply.headers({
      "cache-control": "no-cache",
      etag: text.etag,
      vary: isPage ? "accept, accept-encoding" : "accept-encoding",
    });
    if (request.headers["if-none-match"] === text.etag) return reply.code(304).send();
    const accepted = request.encoding(["br", "gzip"]);
    const encoding = accepted === "br" || accepted === "gzip" ? accepted : "identity";
    if (encoding !== "identity") reply.header("content-encoding", encoding);
    return reply.type(types[extname(file)] ?? "text/plain; charset=utf-8").send(text.body[encoding]);
  }

  function prepare(file: string): Text {
    const content = withAddress(readFileSync(join(folder, file), "utf8"), baseUrl());
    const identity = Buffer.from(content);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
    return {
      etag: `"${createHash("sha256").update(identity).digest("base64url").slice(0, 27)}"`,
      body: { identity, gzip: gzipSync(identity), br: brotliCompressSync(identity, { params }) },
    };
  }
}

/** Returns the paths of the texts in the folder. */
function listFiles(): string[] {
  return globSync("**/*.{html,md,txt,xml,json,yaml}", {
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
