import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guideGroups, listOperations } from "../src/site/contract.ts";
import { slug } from "../src/site/page.ts";
import { readContract } from "../src/site/read-contract.ts";
import { type BuiltSite, buildTestSite } from "./built-site.ts";

const repository = join(import.meta.dirname, "../../..");
const contract = readContract();
let site: BuiltSite;
let html: Map<string, string>;
beforeAll(async () => {
  site = await buildTestSite();
  html = new Map(site.pages.map((page) => [page, site.read(`${page}.html`)]));
});
afterAll(() => site.remove());

/** Files that other parts of the build or the server add. */
const elsewhere = [
  "/docs/reference/",
  "/docs/openapi.json",
  "/docs/openapi.yaml",
  "/docs/first-webhook.arazzo.yaml",
  "/docs/signature-test-vectors.json",
];
const otherRoutes = ["/sdk.tgz", "/cli.tgz"];

const textOf = (page: string) => (html.get(page) ?? "").replace(/^.*<article>|<\/article>.*$/gs, "");
const idsOf = (page: string) => [...textOf(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

/** Returns the page of an address of the site; undefined for another address. */
function pageOf(address: string): string | undefined {
  const [path = ""] = address.split("#");
  const name = path === "/docs/" ? "index" : path.replace(/^\/docs\//, "");
  return html.has(name) ? name : undefined;
}

describe("pages", () => {
  test("there is one for each chapter, operation, event, error code and schema", () => {
    for (const { name } of guideGroups(contract).flatMap(({ tags }) => tags))
      expect(site.pages).toContain(`guides/${name}`);
    expect(site.read("guides/command-line.md")).toContain("## parley webhooks deliveries");
    expect(site.read("guides/parley-admin.md")).toContain("## parley-admin clients rotate-secret");
    for (const { operation } of listOperations(contract))
      expect(site.pages).toContain(`api/${slug(operation.operationId)}`);
    for (const type of Object.keys(contract.webhooks)) expect(site.pages).toContain(`events/${type}`);
    for (const name of Object.keys(contract.components.schemas))
      expect(site.pages).toContain(`schemas/${name}`);
    const codes = ["invalid_request", "not_found", "rate_limit_exceeded", "invalid_grant", "server_error"];
    for (const code of codes) expect(site.pages).toContain(`errors/${code}`);
  });

  test("the sidebar shows the guides in groups, pages without a chapter last in their group", () => {
    const [, sidebar = ""] =
      /<nav class="sidebar".*?>(.*?)<\/nav>/s.exec(html.get("guides/errors") ?? "") ?? [];
    const groups = [...sidebar.matchAll(/<summary>(.+?)<\/summary>(.*?)<\/details>/gs)];
    expect(groups.map(([, name]) => name)).toEqual(["Get started", "Guides", "Reference", "Operate"]);
    const reference = [...(groups[2]?.[2] ?? "").matchAll(/ href="\/docs\/guides\/([\w-]+)"/g)].map(
      ([, name]) => name,
    );
    expect(reference[0]).toBe("verification");
    expect(reference.indexOf("command-line")).toBeGreaterThan(reference.indexOf("changelog"));
  });

  test("documents of the repository link pages of the site, and other files in the repository", () => {
    const text = site.read("guides/operating.md");
    expect(text).toContain("(/docs/guides/configuration.md)");
    expect(text).toContain("(/docs/guides/operating.md#monitoring-deliveries)");
    expect(text).toContain("(/docs/guides/metrics-and-traces.md)");
    expect(site.read("guides/metrics-and-traces.md")).toContain("/blob/main/deploy/monitoring/alerts.yml)");
    for (const [, file = ""] of text.matchAll(/\/blob\/main\/([^)#]+)/g))
      expect([file, existsSync(join(repository, file))]).toEqual([file, true]);
    const content = readFileSync(join(repository, "docs/configuration.md"), "utf8");
    expect(site.read("guides/configuration.md").trim()).toBe(content.trim());
  });

  test("each has its own title, description, address and heading", () => {
    const titles = new Map<string, string>();
    for (const [page, text] of html) {
      const [, title = ""] = /<title>(.+?)<\/title>/.exec(text) ?? [];
      const [, description = ""] = /<meta name="description" content="(.+?)">/.exec(text) ?? [];
      const address = page === "index" ? "/docs/" : `/docs/${page}`;
      expect([page, description.length > 5]).toEqual([page, true]);
      expect(text).toContain(`<link rel="canonical" href="http://127.0.0.1:8080${address}">`);
      expect([page, [...text.matchAll(/<h1>/g)].length]).toEqual([page, 1]);
      const group = page.split("/")[0] ?? "";
      expect([page, titles.get(`${group} ${title}`)]).toEqual([page, undefined]);
      titles.set(`${group} ${title}`, page);
    }
  });

  test("no heading skips a level", () => {
    for (const page of site.pages) {
      const levels = [...textOf(page).matchAll(/<h(\d)[ >]/g)].map(([, level]) => Number(level));
      const skips = levels.filter((level, index) => level > (levels[index - 1] ?? 1) + 1);
      expect([page, skips]).toEqual([page, []]);
    }
  });

  test("every link and anchor leads somewhere", () => {
    const dead = [...html].flatMap(([page, text]) =>
      [...text.matchAll(/ href="([^"]+)"/g)].flatMap(([, target = ""]) => {
        const address = target.startsWith("#") ? `/docs/${page === "index" ? "" : page}${target}` : target;
        if (!address.startsWith("/docs/"))
          return address.startsWith("http") || otherRoutes.includes(address) ? [] : [`${page}: ${target}`];
        const known = pageOf(address);
        const [path = "", anchor] = address.split("#");
        if (known === undefined)
          return elsewhere.includes(path) || exists(path) ? [] : [`${page}: ${target}`];
        const inLayout = anchor === "content" || anchor === "sidebar";
        return anchor === undefined || inLayout || idsOf(known).includes(anchor)
          ? []
          : [`${page}: ${target}`];
      }),
    );
    expect(dead).toEqual([]);
  });

  test("are complete without JavaScript: parameters, fields, samples and errors of an operation", () => {
    const text = textOf("api/create-lead").replaceAll(/<[^>]+>/g, "");
    for (const part of [
      "POST /api/v1/leads",
      "leads:write",
      "Idempotency-Key",
      "contact.email",
      "curl http://127.0.0.1:8080/api/v1/leads",
      "parley.leads.create(",
      "data.attributes.qualified_at",
      "rate_limit_exceeded",
    ]) {
      expect(text).toContain(part);
    }
  });

  test("highlight every code block, and show HTML in descriptions as text", () => {
    for (const page of site.pages) {
      for (const [, language = "", code = ""] of textOf(page).matchAll(
        /<code data-language="(\w*)">(.*?)<\/code>/gs,
      )) {
        if (language === "text" || !/[{"']/.test(code)) continue;
        expect([page, language, code.includes("hljs-")]).toEqual([page, language, true]);
      }
      expect(textOf(page)).not.toMatch(/<(script|style|iframe|img)\b| style=| on\w+=/);
    }
  });
});

function exists(path: string): boolean {
  try {
    site.read(path.replace(/^\/docs\//, ""));
    return true;
  } catch {
    return false;
  }
}

describe("texts for programs", () => {
  test("every page exists as Markdown with the same headings", () => {
    for (const page of site.pages) {
      const markdown = site.read(`${page}.md`).replaceAll(/^```.*?^```/gms, "");
      expect(markdown).toMatch(/^# \S/);
      const headings = [...markdown.matchAll(/^#{2,4} /gm)].length;
      const shown = [...textOf(page).matchAll(/<h[2-4] |<details class="sample"/g)].length;
      expect([page, shown]).toEqual([page, headings]);
    }
  });

  test("every link of llms.txt and of the Markdown leads to a file", () => {
    const texts = ["llms.txt", ...site.pages.map((page) => `${page}.md`)];
    for (const file of texts) {
      const targets = [...site.read(file).matchAll(/\]\((?:http:\/\/127\.0\.0\.1:8080)?(\/[^)#\s]*)/g)];
      const dead = targets
        .map(([, target = ""]) => target)
        .filter(
          (path) =>
            !pageOf(path) && !elsewhere.includes(path) && !otherRoutes.includes(path) && !exists(path),
        );
      expect([file, dead]).toEqual([file, []]);
    }
    expect(site.read("llms.txt")).toMatch(/^# Parley API\n\n> /);
  });

  test("llms.txt lists every page except the schemas, and the sitemap every page", () => {
    const [index, map] = [site.read("llms.txt"), site.read("sitemap.xml")];
    const paths = site.pages.filter((page) => page !== "index");
    const listed = paths.filter((path) => !path.startsWith("schemas/"));
    expect(listed.filter((path) => !index.includes(`/docs/${path}.md)`))).toEqual([]);
    const address = (path: string) => `<loc>http://127.0.0.1:8080/docs/${path}</loc>`;
    expect(["", ...paths].filter((path) => !map.includes(address(path)))).toEqual([]);
  });

  test("llms-full.txt contains every guide and operation", () => {
    const full = site.read("llms-full.txt");
    for (const page of site.pages.filter((name) => /^(guides|api|events|errors)\//.test(name))) {
      const [beginning = ""] = site.read(`${page}.md`).split("## Example request");
      expect(full).toContain(beginning);
    }
  });
});
