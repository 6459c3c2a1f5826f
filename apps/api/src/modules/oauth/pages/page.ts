import { createHash } from "node:crypto";
import { type Brand, type Html, pageLayout, render } from "@parley/ui";
import type { FastifyInstance, FastifyReply } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    /** Name, logo and colors of all pages. */
    brand: Brand & { styleHash: string };
  }
}

/** Sets the brand of all pages of the server. */
export function brandPages(app: FastifyInstance, brand: Brand): void {
  app.decorate("brand", { ...brand, styleHash: hashOf(brand.styles) });
}

/** Script of a page, with its hash for the Content-Security-Policy. */
export interface Script {
  text: string;
  hash: string;
}

/** Returns a script with its hash. */
export function createScript(text: string): Script {
  return { text, hash: hashOf(text) };
}

export interface Page {
  title: string;
  content: Html;
  /** CSP `form-action` sources in addition to `'self'`. */
  formTargets?: string[];
  /** Next to the logo. */
  header?: Html;
  /** Navigation of the console. */
  navigation?: Html;
  footer?: Html;
  /** Uses the wide layout of the console. */
  wide?: boolean;
  /** Script that the page works without. */
  script?: Script;
}

/**
 * Sends a page with headers that forbid other scripts, external resources, framing and caching, RFC 6749 sections 10.11 and 10.13,
 * RFC 9700 sections 4.2, 4.16 and 4.17.
 */
export async function sendPage(reply: FastifyReply, status: number, page: Page): Promise<FastifyReply> {
  const { brand } = reply.server;
  const document = await render(pageLayout({ ...page, script: page.script?.text }, brand));
  return reply
    .code(status)
    .headers({
      "content-security-policy": contentSecurityPolicy(brand, page),
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin", // With no-referrer, browsers send forms of these pages with `Origin: null`.
      "cache-control": "no-store",
    })
    .type("text/html; charset=utf-8")
    .send(document);
}

function contentSecurityPolicy(
  { styleHash, imageSource }: FastifyInstance["brand"],
  { formTargets = [], script }: Page,
): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    ...(imageSource === undefined ? [] : [`img-src ${imageSource}`]),
    ...(script === undefined ? [] : [`script-src 'sha256-${script.hash}'`, "connect-src 'self'"]),
    `form-action ${["'self'", ...formTargets].join(" ")}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

/** Returns the hash of a text for a Content-Security-Policy (CSP Level 3, section 2.3.1). */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
