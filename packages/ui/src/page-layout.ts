import { type Brand, parleyBrand } from "./brand.ts";
import { type Content, type Html, html, raw } from "./html.ts";

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

/** Renders a complete HTML document, with the styles of the brand. */
export function pageLayout(layout: Layout, brand: Brand = parleyBrand): Html {
  const { title, content, header, navigation, footer, wide = false, script } = layout;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${brand.name}</title>
<style>${raw(brand.styles)}</style>
</head>
<body class="page${wide && " wide"}">
${navigation !== undefined && html`<a class="skip" href="#content">Skip to content</a>`}
<header><p class="brand">${brand.logo} <bdi>${brand.name}</bdi></p>${header}</header>
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
