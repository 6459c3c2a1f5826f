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
  app.decorate("brand", { ...brand, styleHash: createHash("sha256").update(brand.styles).digest("base64") });
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
}

/**
 * Sends a page with headers that forbid scripts, external resources, framing and caching, RFC 6749 sections 10.11 and 10.13,
 * RFC 9700 sections 4.2, 4.16 and 4.17.
 */
export async function sendPage(reply: FastifyReply, status: number, page: Page): Promise<FastifyReply> {
  const { brand } = reply.server;
  const document = await render(pageLayout(page, brand));
  return reply
    .code(status)
    .headers({
      "content-security-policy": contentSecurityPolicy(brand, page.formTargets ?? []),
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin", // With no-referrer, browsers send forms of these pages with `Origin: null`.
      "cache-control": "no-store",
    })
    .type("text/html; charset=utf-8")
    .send(document);
}

function contentSecurityPolicy(
  { styleHash, imageSource }: FastifyInstance["brand"],
  formTargets: string[],
): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    ...(imageSource === undefined ? [] : [`img-src ${imageSource}`]),
    `form-action ${["'self'", ...formTargets].join(" ")}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}
