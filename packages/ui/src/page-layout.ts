import { type Content, type Html, html, raw } from "./html.ts";
import { logo } from "./logo.ts";
import { stylesheets } from "./stylesheets.ts";

/** All styles of a page, in a `style` element. A Content-Security-Policy can allow them by their hash. */
export const pageStyles: string = Object.values(stylesheets).join("\n");

interface Layout {
  title: string;
  content: Html;
  /** Next to the logo. */
  header?: Content | undefined;
  /** Navigation between the pages of an application. */
  navigation?: Content | undefined;
  footer?: Content | undefined;
  /** Uses the width for lists and long forms. Default: one narrow card in the middle of the window. */
  wide?: boolean | undefined;
  /** Text of a script, which a Content-Security-Policy can allow by its hash. The page must work without it. */
  script?: string | undefined;
}

/** Renders a complete HTML document. Its styles are {@link pageStyles}. */
export function pageLayout(layout: Layout): Html {
  const { title, content, header, navigation, footer, wide = false, script } = layout;
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
${navigation !== undefined && html`<a class="skip" href="#content">Skip to content</a>`}
<header><p class="brand">${logo} Parley</p>${header}</header>
${navigation}
<main class="stack" id="content">
${content}
</main>
${footer !== undefined && html`<footer>${footer}</footer>`}
${script !== undefined && html`<script type="module">${raw(script)}</script>`}
</body>
</html>
`;
}
