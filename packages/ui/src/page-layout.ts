import { type Content, type Html, html, raw } from "./html.ts";
import { logo } from "./logo.ts";
import { stylesheets } from "./stylesheets.ts";

/** All styles of a page, in a `style` element. A Content-Security-Policy can allow them by their hash. */
export const pageStyles: string = Object.values(stylesheets).join("\n");

interface Layout {
  title: string;
  content: Html;
  /** Next to the logo, for example navigation. */
  header?: Content | undefined;
  footer?: Content | undefined;
  /** Uses the width for lists and long forms. Default: one narrow card in the middle of the window. */
  wide?: boolean | undefined;
}

/** Renders a complete HTML document without scripts. Its styles are {@link pageStyles}. */
export function pageLayout({ title, content, header, footer, wide = false }: Layout): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Parley</title>
<style>${raw(pageStyles)}</style>
</head>
<body class="page${wide && " wide"}">
<header><p class="brand">${logo} Parley</p>${header}</header>
<main class="stack">
${content}
</main>
${footer !== undefined && html`<footer>${footer}</footer>`}
</body>
</html>
`;
}
