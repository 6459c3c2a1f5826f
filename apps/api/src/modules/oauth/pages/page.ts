import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";
import { Html, html } from "./html.ts";
import { stylesheet } from "./stylesheet.ts";

export interface Page {
  title: string;
  content: Html;
  /** CSP `form-action` sources in addition to `'self'`. */
  formTargets?: string[];
  /** Uses the wide layout of the account pages. */
  wide?: boolean;
}

const styleHash = createHash("sha256").update(stylesheet).digest("base64");

/**
 * Sends a page with headers that forbid scripts, external resources, framing and caching, RFC 6749 sections 10.11 and 10.13,
 * RFC 9700 sections 4.2, 4.16 and 4.17.
 */
export function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
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
    .send(layout(page).text);
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

function layout({ title, content, wide = false }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Parley</title>
<style>${new Html(stylesheet)}</style>
</head>
<body${wide && html` class="wide"`}>
<main>
<p class="brand">${logo} Parley</p>
${content}
</main>
</body>
</html>
`;
}

const logo = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 3h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-8l-5 4.5V17H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zm3 5v2h10V8zm0 4v2h6v-2z"/></svg>`;
