import { createHash } from "node:crypto";
import { type Html, pageLayout, pageStyles, render } from "@parley/ui";
import type { FastifyReply } from "fastify";

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
}

const styleHash = createHash("sha256").update(pageStyles).digest("base64");

/**
 * Sends a page with headers that forbid scripts, external resources, framing and caching, RFC 6749 sections 10.11 and 10.13,
 * RFC 9700 sections 4.2, 4.16 and 4.17.
 */
export async function sendPage(reply: FastifyReply, status: number, page: Page): Promise<FastifyReply> {
  const document = await render(pageLayout(page));
  return reply
    .code(status)
    .headers({
      "content-security-policy": contentSecurityPolicy(page.formTargets ?? []),
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin", // With no-referrer, browsers send forms of these pages with `Origin: null`.
      "cache-control": "no-store",
    })
    .type("text/html; charset=utf-8")
    .send(document);
}

function contentSecurityPolicy(formTargets: string[]): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action ${["'self'", ...formTargets].join(" ")}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}
