import { type Html, html, logo, raw, render } from "@parley/ui";
import { markdownAddressOf } from "./list-pages.ts";
import { type Heading, renderMarkdown } from "./markdown.ts";
import { addressOf, type Page, type SectionName, sectionNames } from "./page.ts";
import { demoServer } from "./read-contract.ts";

/** Attribute that switches the forms for requests off. The server replaces `off` by a client ID if it has one for them. */
const tryItAttribute = raw('data-try-it-client="off"');

/** Addresses of the files that each page loads. */
export interface Assets {
  readonly stylesheet: string;
  readonly script: string;
  readonly signedInScript: string;
}

/** Returns the HTML of a page, complete without JavaScript. */
export function pageHtml(page: Page, pages: Page[], assets: Assets): Promise<string> {
  const { content, headings } = renderMarkdown(page.markdown);
  const contents = headings.filter(({ level }) => level === 2);
  const title = page.path === "" ? `${page.title} reference` : `${page.title} – Parley API`;
  return render(
    html`<!doctype html>
<html lang="en" ${tryItAttribute}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${page.description}">
<link rel="canonical" href="${demoServer}${addressOf(page.path)}">
<link rel="alternate" type="text/markdown" href="${markdownAddressOf(page.path)}">
<link rel="icon" href="${addressOf("assets/icon.svg")}">
<link rel="stylesheet" href="${assets.stylesheet}">
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="${addressOf("")}">${logo} Parley API</a>
<nav aria-label="Sections">${sectionNames.map((name) => sectionLink(name, page, pages))}</nav>
<a class="menu" href="#sidebar">Menu</a>
<div class="search" id="search" data-index="${addressOf("search.json")}"></div>
</header>
<div class="columns">
${sidebar(page, pages)}
<main id="content" tabindex="-1">
${breadcrumbs(page)}
<article>
<h1>${page.method && html`<span class="method ${page.method.toLowerCase()}">${page.method}</span> `}${page.title}</h1>
${page.tryIt && tryItPlace(page.tryIt)}
${raw(content)}
</article>
${neighbors(page, pages)}
<footer><a href="${markdownAddressOf(page.path)}">This page as Markdown</a> <a href="${addressOf(page.sectionOfReference ? `reference/#${page.sectionOfReference}` : "reference/")}">The whole reference on one page</a></footer>
</main>
${contents.length > 1 && tableOfContents(contents)}
</div>
</body>
</html>
`,
  );
}

/** The place of the button, which the script adds. */
function tryItPlace({ operationId, eventType }: NonNullable<Page["tryIt"]>): Html {
  return html`<div id="try-it" data-operation="${operationId}"${eventType && html` data-event-type="${eventType}"`}></div>`;
}

function sectionLink(name: SectionName, page: Page, pages: Page[]): Html {
  const first = pages.find(({ section, path }) => section === name && path !== "");
  const current = page.section === name && page.path !== "";
  return html`<a href="${addressOf(first?.path ?? "")}"${current && raw(' aria-current="true"')}>${name}</a>`;
}

/** Renders the pages of the section of a page; groups that do not contain the page are closed. */
function sidebar(page: Page, pages: Page[]): Html {
  const inSection = pages.filter(({ section, path }) => section === page.section && path !== "");
  const groups = [...new Set(inSection.map(({ group }) => group))];
  const list = (group: string) =>
    html`<ul>${inSection.filter((one) => one.group === group).map((one) => html`<li>${sidebarLink(one, page)}</li>`)}</ul>`;
  return html`<nav class="sidebar" id="sidebar" aria-label="${page.section}">
${groups.length === 1 ? list(groups[0] ?? "") : groups.map((group) => html`<details${group === page.group && raw(" open")}><summary>${group}</summary>${list(group)}</details>`)}
</nav>`;
}

function sidebarLink(one: Page, page: Page): Html {
  const current = one.path === page.path && raw(' aria-current="page"');
  const method = one.method && html`<span class="method ${one.method.toLowerCase()}">${one.method}</span> `;
  return html`<a href="${addressOf(one.path)}"${current}>${method}${one.label}</a>`;
}

function breadcrumbs({ path, section, group, title }: Page): Html | string {
  if (path === "") return "";
  const names = [section, ...(group === section || group === title ? [] : [group])];
  return html`<nav class="breadcrumbs" aria-label="Breadcrumbs"><a href="${addressOf("")}">Docs</a>${names.map((name) => html` <span aria-hidden="true">/</span> ${name}`)}</nav>`;
}

function neighbors(page: Page, pages: Page[]): Html {
  const index = pages.indexOf(page);
  const [previous, next] = [pages[index - 1], pages[index + 1]];
  return html`<nav class="neighbors" aria-label="Previous and next page">
${previous && html`<a rel="prev" href="${addressOf(previous.path)}"><span>Previous</span> ${previous.title}</a>`}
${next && html`<a rel="next" href="${addressOf(next.path)}"><span>Next</span> ${next.title}</a>`}
</nav>`;
}

function tableOfContents(headings: Heading[]): Html {
  return html`<nav class="contents" aria-labelledby="contents"><h2 id="contents">On this page</h2><ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`;
}

/** Returns the page to which the authorization page redirects the window of a reader who signs in to send requests. */
export function signedInHtml({ stylesheet, signedInScript }: Assets): Promise<string> {
  return render(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Signed in – Parley API</title>
<link rel="icon" href="${addressOf("assets/icon.svg")}">
<link rel="stylesheet" href="${stylesheet}">
<script type="module" src="${signedInScript}"></script>
</head>
<body class="signed-in">
<main>
<h1>Continue in the documentation</h1>
<p>You can close this window.</p>
</main>
</body>
</html>
`);
}
